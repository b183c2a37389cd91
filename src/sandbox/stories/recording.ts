import type { AnsweredRequest, Exchanged, RequestLog } from '../api/request-log.ts';
import type { Change, State } from '../domain/state.ts';
import type { StoreContents } from '../store/contents.ts';
import { rewind } from '../store/rewind.ts';
import type { UnitOptions } from '../store/store.ts';
import { sentBody } from '../webhooks/deliver.ts';
import type { ActionName, Entry, RecordedAction } from './entry.ts';
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

/** All changes of a unit of work, so that they can be reverted. */
interface Unit {
  /** The number of the last entry at its commit. */
  readonly number: number;
  readonly changes: readonly Change[];
}

/** The state after an entry, besides the objects. */
interface Standing {
  readonly time: number;
  readonly ids: number;
}

/**
 * The latest 4,000 requests, changes, deliveries and actions since the recording began. Secrets, tokens and card data
 * never enter it.
 */
export class Recording {
  readonly #state: State;
  #entries: Entry[] = [];
  #standings = new Map<number, Standing>();
  #units: Unit[] = [];
  /** The numbers of the latest requests, by request id. */
  readonly #numbers = new Map<string, number>();
  #count = 0;
  #acting: number | null = null;

  /** Starts recording. */
  constructor(state: State, log: RequestLog) {
    this.#state = state;
    state.watchers.add((changes, options) => this.#changed(changes, options));
    log.watchers.add((answered, exchanged) => this.#answered(answered, exchanged));
  }

  /** Changes with each entry. */
  get version(): number {
    return this.#count;
  }

  /** The entries, oldest first. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Whether old entries were dropped. */
  get isCut(): boolean {
    return (this.#entries[0]?.number ?? 1) > 1;
  }

  /** Runs an action on the sandbox, then records it as the cause of its changes. */
  act<T>(name: ActionName, details: RecordedAction['details'], work: () => T): T {
    const before = this.#count;
    this.#count += 1;
    const number = this.#count;
    const at = this.#state.clock.now();
    this.#acting = number;
    try {
      const result = work();
      this.#insert({ kind: 'action', number, at, name, details });
      return result;
    } catch (error) {
      if (this.#count === number) this.#count = before;
      throw error;
    } finally {
      this.#acting = null;
    }
  }

  /** Clears all entries. Numbers stay unique. */
  clear(): void {
    this.#entries = [];
    this.#units = [];
    this.#standings.clear();
  }

  /** Prevents restoring the state after earlier entries, since the objects were replaced. */
  cutOff(): void {
    this.#units = [];
    this.#standings.clear();
  }

  /** Returns the store's state right after an entry; `undefined` if it is no longer recorded. */
  contentsAfter(number: number): StoreContents | undefined {
    const standing = this.#standings.get(number);
    if (standing === undefined) return undefined;
    const later = this.#units.filter((unit) => unit.number > number).flatMap(({ changes }) => changes);
    return rewind(this.#state, later, standing);
  }

  #changed(changes: readonly Change[], { cause, isPast = false }: UnitOptions<Change>): void {
    // Sample data would add thousands of changes that belong to no operation.
    if (!isPast) this.#record(changes, cause === undefined ? this.#acting : this.#numberOf(cause));
    this.#units.push({ number: this.#count, changes });
    if (this.#units.length > capacity) this.#units.shift();
  }

  #record(changes: readonly Change[], cause: number | null): void {
    const at = this.#state.clock.now();
    const isBatch = changes.some(({ kind }) => kind === 'terminal_batch');
    const unit = isBatch ? null : this.#count + 1;
    for (const entry of recordedChanges(changes, at, { cause, unit })) this.#add(entry);
    for (const change of changes) this.#attempted(change);
  }

  #attempted(change: Change): void {
    const delivery = attemptedDelivery(change);
    const event = this.#state.objects.event.get(delivery?.eventId ?? '');
    if (delivery === undefined || event === undefined) return;
    const body = sentBody(event, delivery, delivery.attempts.length, this.#state.settings.forms);
    const entry = recordedDelivery(delivery, subjectOf(event), body);
    if (entry !== undefined) this.#add(entry);
  }

  #answered(answered: AnsweredRequest, exchanged: Exchanged): void {
    const number = this.#numberOf(exchanged.requestId);
    const { requestIdHeader } = this.#state.settings.forms;
    this.#insert(recordedRequest(number, answered, exchanged, requestIdHeader));
  }

  /**
   * Returns a request's number. A request precedes its changes, but its response comes after them, or before them if
   * the connection broke.
   */
  #numberOf(requestId: string | undefined): number {
    const known = this.#numbers.get(requestId ?? '');
    if (known !== undefined) return known;
    this.#count += 1;
    if (requestId === undefined) return this.#count;
    this.#numbers.set(requestId, this.#count);
    const [oldest] = this.#numbers.keys();
    if (this.#numbers.size > capacity && oldest !== undefined) this.#numbers.delete(oldest);
    return this.#count;
  }

  #add(entry: Unnumbered<Entry>): void {
    this.#count += 1;
    this.#insert({ ...entry, number: this.#count });
  }

  #insert(entry: Entry): void {
    let place = this.#entries.length;
    while (place > 0 && (this.#entries[place - 1]?.number ?? 0) > entry.number) place -= 1;
    this.#entries.splice(place, 0, entry);
    this.#standings.set(entry.number, { time: this.#state.clock.now(), ids: this.#state.ids.count });
    if (this.#entries.length <= capacity) return;
    const oldest = this.#entries.shift();
    if (oldest !== undefined) this.#standings.delete(oldest.number);
  }
}
