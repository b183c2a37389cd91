import type { RequestLog } from '../api/request-log.ts';
import type { State } from '../domain/state.ts';
import type { StoreContents } from '../store/contents.ts';
import type { ActionName, Entry, RecordedAction } from './entry.ts';
import { Recording } from './recording.ts';
import { Stories } from './stories.ts';

/** What happened in a sandbox, and the stories it makes. It begins when somebody may look: a sandbox in a test records nothing. */
export class StoryLog {
  readonly #state: State;
  readonly #log: RequestLog;
  #recording: Recording | undefined;
  #stories: Stories | undefined;

  constructor(state: State, log: RequestLog) {
    this.#state = state;
    this.#log = log;
  }

  /** Begins to record. Without effect the second time. */
  begin(): void {
    this.#begun();
  }

  /** Does something to the sandbox, and records it. */
  act<T>(name: ActionName, details: RecordedAction['details'], work: () => T): T {
    return this.#recording === undefined ? work() : this.#recording.act(name, details, work);
  }

  /** The stories so far. */
  get stories(): Stories {
    this.#stories ??= new Stories(this.#begun(), this.#state);
    return this.#stories;
  }

  /** The entries so far, oldest first, with the objects as the sandbox has them: only a `shownEntry` may leave it. */
  get entries(): readonly Entry[] {
    return this.#begun().entries;
  }

  /** What the sandbox remembered right after an entry; `undefined` where that is no longer known. */
  contentsAfter(entry: number): StoreContents | undefined {
    return this.#recording?.contentsAfter(entry);
  }

  /** The objects are others from now on, so nothing before can be gone back to. */
  cutOff(): void {
    this.#recording?.cutOff();
  }

  /** Forgets everything. */
  clear(): void {
    this.#recording?.clear();
  }

  #begun(): Recording {
    this.#recording ??= new Recording(this.#state, this.#log);
    return this.#recording;
  }
}
