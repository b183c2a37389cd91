import type { RequestLog } from '../api/request-log.ts';
import type { State } from '../domain/state.ts';
import type { StoreContents } from '../store/contents.ts';
import type { ActionName, Entry, RecordedAction } from './entry.ts';
import { Recording } from './recording.ts';
import { Stories } from './stories.ts';

/**
 * The recording of a sandbox, and its stories. It starts when the sandbox listens, so that an embedded one costs
 * nothing.
 */
export class StoryLog {
  readonly #state: State;
  readonly #log: RequestLog;
  #recording: Recording | undefined;
  #stories: Stories | undefined;

  constructor(state: State, log: RequestLog) {
    this.#state = state;
    this.#log = log;
  }

  /** Starts recording. A second call has no effect. */
  begin(): void {
    this.#begun();
  }

  /** Runs an action on the sandbox, and records it. */
  act<T>(name: ActionName, details: RecordedAction['details'], work: () => T): T {
    return this.#recording === undefined ? work() : this.#recording.act(name, details, work);
  }

  /** The stories. */
  get stories(): Stories {
    this.#stories ??= new Stories(this.#begun(), this.#state);
    return this.#stories;
  }

  /** The entries, oldest first, with unredacted objects: only a `shownEntry` may leave the sandbox. */
  get entries(): readonly Entry[] {
    return this.#begun().entries;
  }

  /** Returns the store's state right after an entry; `undefined` if it is no longer recorded. */
  contentsAfter(entry: number): StoreContents | undefined {
    return this.#recording?.contentsAfter(entry);
  }

  /** Prevents restoring the state after earlier entries, since the objects were replaced. */
  cutOff(): void {
    this.#recording?.cutOff();
  }

  /** Clears all entries. */
  clear(): void {
    this.#recording?.clear();
  }

  #begun(): Recording {
    this.#recording ??= new Recording(this.#state, this.#log);
    return this.#recording;
  }
}
