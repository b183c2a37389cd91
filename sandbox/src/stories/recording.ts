import type { Exchanged, ExecutedRequest, RequestLog } from '../api/request-log.ts';
import type { Change, State, UnitOptions } from '../domain/state.ts';
import type { Persistence } from '../store/contents.ts';
import { sentBody } from '../webhooks/deliver.ts';
import { CardNames } from './card-text.ts';
import type { KeptEntry, RecordedAction } from './entry.ts';
import {
  attemptedDelivery,
  recordedChanges,
  recordedDelivery,
  subjectOf,
  type Unnumbered,
} from './recorded-changes.ts';
import { recordedRequest } from './recorded-request.ts';

/** The maximum number of entries. */
const capacity = 4_000;

/** Where entries are saved that belong to no unit of work. */
export type EntryFile = Pick<Persistence, 'record'>;

/**
 * The latest 4,000 requests, changes, deliveries and actions since the recording began. Secrets, tokens and card data
 * never enter it.
 */
export class Recording {
  readonly #state: State;
  readonly #log: RequestLog;
  readonly #file: EntryFile | undefined;
  readonly #cards: CardNames;
  #entries: KeptEntry[] = [];
  /** The numbers of the latest requests, by request id. */
  readonly #numbers = new Map<string, number>();
  /** The numbers of executed requests whose replies are delayed. */
  readonly #delayed = new Set<number>();
  #count = 0;
  #version = 0;
  #acting: number | null = null;

  /**
   * Starts recording.
   *
   * @param file Saves the entries that belong to no unit of work. `undefined` in memory.
   */
  constructor(state: State, log: RequestLog, file: EntryFile | undefined) {
    this.#state = state;
    this.#log = log;
    this.#file = file;
    this.#cards = new CardNames(state);
    state.describe = (changes, options) => this.#describe(changes, options);
    log.executionWatchers.add((executed, exchanged) =>
      this.#delayed.add(this.#addRequest(executed, exchanged)),
    );
    log.watchers.add((answered, exchanged) => this.#delayed.delete(this.#addRequest(answered, exchanged)));
  }

  /**
   * Changes with each entry and each unit of work, also with a restore or a reset. A number of an entry is no version: a
   * request has its number before its reply.
   */
  get version(): number {
    return this.#version;
  }

  /** The entries, oldest first. The reply to an executed request that a fault delays has not arrived yet. */
  get entries(): readonly KeptEntry[] {
    return this.#entries;
  }

  /** The entries without requests whose replies are delayed: others will replace these. */
  get finalEntries(): readonly KeptEntry[] {
    if (this.#delayed.size === 0) return this.#entries;
    return this.#entries.filter(({ number }) => !this.#delayed.has(number));
  }

  /** Whether old entries were dropped, since the recording is full. */
  get isCut(): boolean {
    return this.#entries.length === capacity;
  }

  /** Runs an action on the sandbox, then records it as the cause of its changes. */
  act<T>(name: string, details: RecordedAction['details'], work: () => T): T {
    const before = this.#count;
    this.#count += 1;
    const number = this.#count;
    const at = this.#state.clock.now();
    this.#acting = number;
    try {
      const result = work();
      this.#add({ kind: 'action', number, at, name, details });
      return result;
    } catch (error) {
      if (this.#count === number) this.#count = before;
      throw error;
    } finally {
      this.#acting = null;
    }
  }

  /** Replaces all entries. Numbers and ids of requests stay unique. */
  load(entries: readonly KeptEntry[]): void {
    const delayed = new Map([...this.#numbers].filter(([, number]) => this.#delayed.has(number)));
    this.#entries = entries.slice(-capacity);
    this.#version += 1;
    // A request that is still running may have a number that is another entry's now.
    this.#numbers.clear();
    this.#delayed.clear();
    this.#count = Math.max(this.#count, entries.at(-1)?.number ?? 0);
    for (const entry of entries) {
      if (entry.kind !== 'request') continue;
      const { requestId, number } = entry;
      this.#log.continueAfter(requestId);
      // Its reply, which is still to come, replaces it.
      if (!entry.arrived && delayed.get(requestId) === number) {
        this.#numbers.set(requestId, number);
        this.#delayed.add(number);
      }
    }
  }

  /** Returns the entries of a unit of work. A file saves them with it. */
  #describe(changes: readonly Change[], { cause, isPast = false }: UnitOptions) {
    // Sample data would add thousands of changes that belong to no operation.
    const entries = isPast
      ? []
      : this.#entriesOf(changes, cause === undefined ? this.#acting : this.#numberOf(cause));
    return { entries, commit: () => this.#insert(entries) };
  }

  #entriesOf(changes: readonly Change[], cause: number | null): readonly KeptEntry[] {
    const at = this.#state.clock.now();
    const isBatch = changes.some(({ kind }) => kind === 'terminal_batch');
    const unit = isBatch ? null : this.#count + 1;
    const attempts = changes.flatMap((change) => this.#attemptOf(change) ?? []);
    const all = [...recordedChanges(changes, at, { cause, unit }), ...attempts];
    return all.map((entry) => this.#numbered(entry)).slice(-capacity);
  }

  /** Returns the attempt that a change is; `undefined` for any other change. */
  #attemptOf(change: Change): Unnumbered<KeptEntry> | undefined {
    const delivery = attemptedDelivery(change);
    const event = this.#state.objects.event.get(delivery?.eventId ?? '');
    if (delivery === undefined || event === undefined) return undefined;
    const body = sentBody(event, delivery, delivery.attempts.length, this.#state.settings.forms);
    return recordedDelivery(delivery, subjectOf(event), body);
  }

  /** Records a request, in place of its entry from while its reply was delayed. Returns its number. */
  #addRequest(request: ExecutedRequest, exchanged: Exchanged): number {
    const number = this.#numberOf(exchanged.requestId);
    const { requestIdHeader } = this.#state.settings.forms;
    const settings = { requestIdHeader, cards: this.#cards };
    this.#add(recordedRequest(number, request, exchanged, settings));
    return number;
  }

  /**
   * Returns a request's number. A request precedes its changes, but its response comes after them, or before them if
   * the connection broke.
   */
  #numberOf(requestId: string): number {
    const known = this.#numbers.get(requestId);
    if (known !== undefined) return known;
    this.#count += 1;
    this.#numbers.set(requestId, this.#count);
    const [oldest] = this.#numbers.keys();
    if (this.#numbers.size > capacity && oldest !== undefined) this.#numbers.delete(oldest);
    return this.#count;
  }

  #numbered(entry: Unnumbered<KeptEntry>): KeptEntry {
    this.#count += 1;
    return { ...entry, number: this.#count };
  }

  /** Adds an entry that belongs to no unit of work. */
  #add(entry: KeptEntry): void {
    this.#insert([entry]);
    this.#file?.record(entry, this.#entries[0]?.number ?? 0);
  }

  #insert(entries: readonly KeptEntry[]): void {
    this.#version += 1;
    for (const entry of entries) {
      let place = this.#entries.length;
      while (place > 0 && (this.#entries[place - 1]?.number ?? 0) > entry.number) place -= 1;
      const isKnown = this.#entries[place - 1]?.number === entry.number;
      this.#entries.splice(isKnown ? place - 1 : place, Number(isKnown), entry);
      if (this.#entries.length > capacity) this.#entries.shift();
    }
  }
}
