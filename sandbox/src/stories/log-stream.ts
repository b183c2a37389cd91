import type { State } from '../domain/state.ts';
import type { KeptEntry, RecordedChange } from './entry.ts';
import { knownObjects } from './facts.ts';
import { type LogEntry, logOf } from './log-entry.ts';
import { OrderNames } from './order-names.ts';
import type { Recording } from './recording.ts';
import { shownEvent } from './redact-body.ts';

/** How long new entries gather, in ms of real time: a request and its effects come together. */
const pause = 50;
/** How long effects wait for the reply to their request, in ms of real time. */
const patience = 1_000;

/** Returns a function that finds the order of each entry. */
function namerOf(state: State) {
  const names = new OrderNames(state);
  return (entry: KeptEntry, changes: readonly RecordedChange[]) =>
    names.orderOf([entry, ...changes], knownObjects(entry.kind === 'change' ? [entry] : changes));
}

/** Returns the log of a recording, which has a request once its reply has left. */
export function loggedEntries({ finalEntries: entries }: Recording, state: State): readonly LogEntry[] {
  return logOf<KeptEntry>(entries, entries, namerOf(state));
}

/** Returns the new entries that are effects of requests without a reply yet. */
function waitingAmong(fresh: readonly KeptEntry[], all: readonly KeptEntry[]): ReadonlySet<KeptEntry> {
  const numbers = new Set(all.map(({ number }) => number));
  const changes = fresh
    .filter((entry) => entry.kind === 'change')
    .filter(({ cause }) => cause !== null && !numbers.has(cause));
  const events = new Set(changes.flatMap((change) => change.events.map(({ id }) => id)));
  const deliveries = fresh.filter((entry) => entry.kind === 'delivery' && events.has(entry.event.id));
  return new Set([...changes, ...deliveries]);
}

/** Passes on what is recorded from now on. */
export class LogStream {
  readonly #recording: Recording;
  readonly #state: State;
  readonly #listener: (entry: LogEntry) => void;
  readonly #orderOf: ReturnType<typeof namerOf>;
  readonly #seen = new WeakSet<KeptEntry>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when effects wait, in ms; `undefined` if none do. */
  #waitsSince: number | undefined;

  constructor(recording: Recording, state: State, listener: (entry: LogEntry) => void) {
    this.#recording = recording;
    this.#state = state;
    this.#listener = listener;
    this.#orderOf = namerOf(state);
    // Names what it does not pass on, so that later entries find their orders.
    this.#pass(recording.finalEntries, () => {});
  }

  /** Passes on new entries soon. */
  touch(): void {
    this.#timer ??= setTimeout(() => this.#passReady(), pause);
  }

  /** Passes on all new entries now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitsSince = undefined;
    this.#pass(this.#fresh(), this.#listener);
  }

  #fresh(): readonly KeptEntry[] {
    return this.#recording.finalEntries.filter((entry) => !this.#seen.has(entry));
  }

  #passReady(): void {
    this.#timer = undefined;
    const fresh = this.#fresh();
    const waiting = waitingAmong(fresh, this.#recording.finalEntries);
    this.#waitsSince ??= performance.now();
    if (waiting.size === 0 || performance.now() - this.#waitsSince >= patience) {
      this.flush();
      return;
    }
    const ready = fresh.filter((entry) => !waiting.has(entry));
    this.#pass(ready, this.#listener);
    this.touch();
  }

  #pass(entries: readonly KeptEntry[], listener: (entry: LogEntry) => void): void {
    if (entries.length === 0) return;
    for (const entry of entries) this.#seen.add(entry);
    const log = logOf<KeptEntry>(entries, this.#recording.finalEntries, this.#orderOf);
    try {
      for (const logged of log) listener(this.#whole(logged));
    } catch {
      // An error of a listener is ignored.
    }
  }

  /** Adds the rest of an event. */
  #whole(logged: LogEntry): LogEntry {
    const event = logged.kind === 'event' ? this.#state.objects.event.get(logged.event.id) : undefined;
    if (logged.kind !== 'event' || event === undefined) return logged;
    return { ...logged, event: shownEvent(event) };
  }
}
