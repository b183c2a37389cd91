import { PaymentsError } from '../../base/errors.ts';
import { type Logger, loggerSchema, writeLine } from '../../base/logger.ts';
import { checkOptions, functionOf, integerFrom, optionsOf } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { checkedStore, type PageQuery } from '../checked-store.ts';
import { type ClaimRecord, isOpen, type OpenRecord } from '../records/claim.ts';
import { LocalBackend, type LocalTables } from '../records/local-backend.ts';
import { compareOpen, type OpenPlace, spaceOf } from '../records/open-order.ts';
import type { Bucket, Part, VelocityRecords } from '../records/velocity-count.ts';
import type { KeptSnapshot, ScanQuery, Store } from '../store.ts';
import { MemoryDocuments } from './documents.ts';
import { MemoryLists } from './lists.ts';
import { byExpiry, SortedQueue } from './sorted-queue.ts';

/** A store without room for another key with data recorded nothing, and dropped no record. */
function full(maxOperations: number): PaymentsError {
  const problem = `expected at most ${maxOperations} operations in memoryStore, got another.`;
  const advice = 'Use a durable store: sqliteStore, redisStore or postgresStore.';
  return new PaymentsError(`${problem} ${advice}`, { code: 'STORE_FULL' });
}

/** Options of {@link memoryStore}. */
type MemoryStoreOptions = {
  /**
   * The maximum number of keys without data, such as the deliveries of a webhook receiver. The same number limits counted
   * attempts, each counted once for every rule. An integer from 1 to 10,000,000. Default: 100,000, about 40 MB for the keys
   * and 140 MB for the attempts.
   */
  readonly maxEntries?: number | undefined;
  /**
   * The maximum number of keys with data, such as the operations of a journal. The store never deletes one before its
   * retention ends. When it has this many, a claim or a release that opens another one throws a
   * `PaymentsError` with the code `STORE_FULL`, and the journal a `JournalError`.
   * An integer from 1 to 10,000,000. Default: 100,000, about 220 MB for the operations of a journal.
   */
  readonly maxOperations?: number | undefined;
  /** Gets one warning once the store has 80 % of `maxOperations`. Accepts `console`, pino or winston. Default: `console`. */
  readonly logger?: Logger | undefined;
  /**
   * Returns the time in ms. For tests, so that leases and windows expire without waiting. It must not go back. The `retryAt`
   * of a guard needs ms since 1970; everything else accepts any start. Default: the machine's time at process start plus the
   * time elapsed since, which clock corrections do not affect.
   */
  readonly now?: (() => number) | undefined;
};

const optionsSchema = /* @__PURE__ */ optionsOf<MemoryStoreOptions>(() => ({
  maxEntries: s.optional(integerFrom(1, 10_000_000)),
  maxOperations: s.optional(integerFrom(1, 10_000_000)),
  logger: loggerSchema,
  now: s.optional(functionOf<() => number>()),
}));

/** The share of `maxOperations` at which the store warns. */
const warnedShare = 0.8;

/** The machine's time at process start plus the time elapsed since, in ms since 1970. Clock corrections do not affect it. */
const steadyTime = () => performance.timeOrigin + performance.now();

/** Whether a record counts towards `maxOperations`. A completed one whose data was dropped does not. */
function isOperation({ completed, data }: ClaimRecord): boolean {
  return completed ? Boolean(data) : data !== undefined;
}

class MemoryTables implements LocalTables {
  readonly now: () => number;
  readonly documents = new MemoryDocuments();
  readonly #maxEntries: number;
  readonly #maxOperations: number;
  readonly #logger: Logger;
  #hasWarned = false;
  readonly #entries = new Map<string, ClaimRecord>();
  /** Keys without data: claimed ones by expiry, and completed ones as they were completed. */
  readonly #claims = new SortedQueue<ClaimRecord>(byExpiry);
  readonly #completed = new SortedQueue<ClaimRecord>();
  /** Keys with data: open ones by their space, and closed ones. */
  readonly #open = new Map<string, SortedQueue<OpenRecord, OpenPlace>>();
  readonly #closed = new SortedQueue<ClaimRecord>(byExpiry);
  readonly #snapshots = new Map<string, KeptSnapshot>();
  readonly #buckets: MemoryLists<Bucket>;
  readonly #parts: MemoryLists<Part>;

  constructor({
    maxEntries = 100_000,
    maxOperations = 100_000,
    logger = console,
    now = steadyTime,
  }: MemoryStoreOptions) {
    this.now = now;
    this.#maxEntries = maxEntries;
    this.#maxOperations = maxOperations;
    this.#logger = logger;
    this.#buckets = new MemoryLists(maxEntries);
    this.#parts = new MemoryLists(maxEntries);
  }

  begin(): number {
    return this.now();
  }

  /** Nothing else runs between two statements of one process. */
  commit(): void {}

  /** A call that throws has changed nothing. */
  rollBack(): void {}

  find(key: string): ClaimRecord | undefined {
    return this.#entries.get(key);
  }

  put(record: ClaimRecord, now: number): void {
    const known = this.#entries.get(record.key);
    // An end is always recorded: without it, an operation would be sent again.
    const isOpened = isOpen(record) && !(known && isOperation(known));
    if (isOpened) this.#makeRoomForOperation(now);
    if (known !== undefined) this.#leave(known);
    this.#entries.set(record.key, record);
    if (isOpen(record)) this.#openIn(spaceOf(record.key)).add(record);
    else this.#queueOf(record).add(record);
    this.#makeRoom(now);
  }

  open({ space, after, limit }: PageQuery): readonly OpenRecord[] {
    return this.#open.get(space)?.page(after, limit) ?? [];
  }

  countOpen(space: string): number {
    return this.#open.get(space)?.size ?? 0;
  }

  /** Has all on one page: their data are in memory anyway, and to find a page takes as long. */
  scan({ space }: ScanQuery): ReturnType<LocalTables['scan']> {
    const isFound = ({ key, data }: ClaimRecord) => data !== undefined && spaceOf(key) === space;
    return { rows: [...this.#entries.values()].filter(isFound), next: undefined };
  }

  findSnapshot(key: string): KeptSnapshot | undefined {
    return this.#snapshots.get(key);
  }

  putSnapshot(key: string, snapshot: KeptSnapshot): void {
    this.#snapshots.set(key, snapshot);
  }

  attempts(now: number): VelocityRecords {
    const [buckets, parts] = [this.#buckets, this.#parts];
    buckets.purge(now);
    parts.purge(now);
    return { now, buckets, parts };
  }

  #openIn(space: string): SortedQueue<OpenRecord, OpenPlace> {
    const queue = this.#open.get(space) ?? new SortedQueue<OpenRecord, OpenPlace>(compareOpen);
    this.#open.set(space, queue);
    return queue;
  }

  #queueOf(record: ClaimRecord): SortedQueue<ClaimRecord> {
    if (isOperation(record)) return this.#closed;
    return record.completed ? this.#completed : this.#claims;
  }

  /** Takes a record out of its queue. */
  #leave(record: ClaimRecord): void {
    if (isOpen(record)) this.#close(record);
    else this.#queueOf(record).delete(record);
  }

  #close(record: OpenRecord): void {
    const space = spaceOf(record.key);
    const queue = this.#openIn(space);
    queue.delete(record);
    if (queue.size === 0) this.#open.delete(space);
  }

  #drop(record: ClaimRecord): void {
    this.#leave(record);
    this.#entries.delete(record.key);
  }

  /** The number of keys without data. */
  get #size(): number {
    return this.#claims.size + this.#completed.size;
  }

  /** @throws PaymentsError `STORE_FULL` if there is no room: without its record, an operation would be sent again. */
  #makeRoomForOperation(now: number): void {
    for (let closed = this.#closed.first(); closed && closed.until <= now; closed = this.#closed.first()) {
      this.#drop(closed);
    }
    const operations = this.#entries.size - this.#size + 1;
    const maxOperations = this.#maxOperations;
    if (operations > maxOperations) throw full(maxOperations);
    if (this.#hasWarned || operations < warnedShare * maxOperations) return;
    this.#hasWarned = true;
    const message = `memoryStore has ${operations} operations and refuses more than ${maxOperations}: use sqliteStore, redisStore or postgresStore`;
    writeLine(this.#logger, 'warn', message, { operations, maxOperations });
  }

  #makeRoom(now: number): void {
    // Keys with data have a limit of their own: a full journal would otherwise evict the records of handled events.
    while (this.#size > this.#maxEntries) {
      const entry = this.#leastNeeded(now);
      // Only live claims are left: grows rather than let an event be handled twice concurrently.
      if (entry === undefined) return;
      this.#drop(entry);
    }
  }

  /**
   * Returns the key without data to evict first. An expired record has no effect. A claim with an expired lease only counts
   * attempts, so it goes before the record of a handled event, without which the event is handled again.
   */
  #leastNeeded(now: number): ClaimRecord | undefined {
    const [completed, claim] = [this.#completed.first(), this.#claims.first()];
    return [completed, claim].find((entry) => entry !== undefined && entry.until <= now) ?? completed;
  }
}

/**
 * Creates a store in the memory of one process. Use it for development, for tests, and for a single-process service whose
 * handlers tolerate a repeated event after a restart.
 *
 * When the store has `maxEntries` keys without data, it deletes some of them in this order:
 *
 * - first, the key that was completed first, if its retention is over;
 * - then claims whose lease has expired;
 * - then the key that was completed first.
 *
 * It never deletes a claim with a running lease. The store grows instead: without that key, an event could be handled twice
 * at the same time.
 *
 * It deletes a key with data, such as an operation of a journal, only after its retention. At 80 % of `maxOperations` it warns
 * once. When it is full, a call that opens another claim throws a `PaymentsError` with the code `STORE_FULL`.
 *
 * Of counted attempts, it deletes the oldest key and the oldest attempt first. It never deletes snapshots and
 * documents, so their number has no limit.
 *
 * @throws ConfigurationError when an option is wrong.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  checkOptions('memoryStore', optionsSchema, options);
  return checkedStore(new LocalBackend(new MemoryTables(options)));
}
