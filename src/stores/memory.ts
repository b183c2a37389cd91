import { checkOptions } from '../base/check-options.ts';
import { PaymentsError } from '../base/errors.ts';
import { type Logger, loggerSchema, writeLine } from '../base/logger.ts';
import { functionOf, integerFrom, optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import {
  checkAdvance,
  checkClaim,
  checkComplete,
  checkNoClient,
  checkOpen,
  checkRelease,
  checkRenew,
} from './checks.ts';
import { compareCodePoints } from './compare-code-points.ts';
import { type Expiring, ExpiryLines } from './expiry-lines.ts';
import { MemoryVelocity, steadyTime } from './memory-velocity.ts';
import type { Snapshot } from './snapshot-store.ts';
import type {
  ClaimOptions,
  ClaimResult,
  KeyOptions,
  OpenClaim,
  OpenQuery,
  ReleaseOptions,
  Store,
} from './store.ts';
import type { TransactionOptions } from './transaction-options.ts';
import type { VelocityEntry, VelocityTotal } from './velocity-store.ts';

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
   * retention ends. When it has this many, a claim of a new one throws a `PaymentsError` with the code `STORE_FULL`, and the journal a `JournalError`.
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

const optionsSchema = optionsOf<MemoryStoreOptions>(() => ({
  maxEntries: s.optional(integerFrom(1, 10_000_000)),
  maxOperations: s.optional(integerFrom(1, 10_000_000)),
  logger: loggerSchema,
  now: s.optional(functionOf<() => number>()),
}));

/** The share of `maxOperations` at which the store warns. */
const warnedShare = 0.8;

/** The record of one key. A change replaces it. */
interface Entry extends Expiring {
  readonly key: string;
  /** The token of the claim; none after a release. */
  readonly token: string | undefined;
  readonly attempt: number;
  /** When the key was first claimed. */
  readonly since: number;
  /** Whether it is forgotten at `until`: it was completed, or, if it has no token, released with a retention. */
  readonly completed: boolean;
  readonly data: string | undefined;
}

/** A claim with data, kept until it is completed or released with a retention. */
type OpenEntry = Entry & { readonly completed: false; readonly data: string };

function isOpen(entry: Entry): entry is OpenEntry {
  return !entry.completed && entry.data !== undefined;
}

/** Returns whether the retention of a completed or released key is over. */
function isForgotten({ completed, until }: Entry, now: number): boolean {
  return completed && until <= now;
}

class MemoryStore implements Store {
  readonly #maxEntries: number;
  readonly #maxOperations: number;
  readonly #logger: Logger;
  #hasWarned = false;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /** Keys without data: claimed ones, and completed ones. */
  readonly #claims = new ExpiryLines<Entry>();
  readonly #completed = new ExpiryLines<Entry>();
  /** Keys with data: open ones, and closed ones. */
  readonly #open = new Map<string, OpenEntry>();
  readonly #closed = new ExpiryLines<Entry>();
  readonly #velocity: MemoryVelocity;
  readonly #snapshots = new Map<string, Snapshot>();

  constructor({
    maxEntries = 100_000,
    maxOperations = 100_000,
    logger = console,
    now = steadyTime,
  }: MemoryStoreOptions) {
    this.#maxEntries = maxEntries;
    this.#maxOperations = maxOperations;
    this.#logger = logger;
    this.#now = now;
    this.#velocity = new MemoryVelocity(maxEntries, now);
  }

  async claim(key: string, lease: number, options?: ClaimOptions): Promise<ClaimResult> {
    checkClaim({ key, lease }, options);
    checkNoClient(options);
    const now = this.#now();
    const { token = crypto.randomUUID() } = options ?? {};
    const known = this.#entries.get(key);
    const isResent = known?.token === token && !known.completed;
    if (known?.token !== undefined && known.until > now && !isResent) {
      const { data } = known;
      if (known.completed) return { status: 'completed', data };
      return { status: 'in_progress', retryAfter: Math.ceil(known.until - now), data };
    }
    const isNew = known === undefined || isForgotten(known, now);
    if (isNew && options?.data !== undefined) this.#makeRoomForOperation(now);
    const before = isNew ? { attempt: 0, since: now, data: options?.data } : known;
    const [attempt, { since, data }] = [before.attempt + (isResent ? 0 : 1), before];
    this.#put({ key, token, attempt, since, data, completed: false, duration: lease, until: now + lease });
    this.#makeRoom(now);
    return { status: 'claimed', token, attempt, data };
  }

  async renew(key: string, token: string, lease: number, options?: KeyOptions): Promise<boolean> {
    checkRenew({ key, token, lease }, options);
    checkNoClient(options);
    const known = this.#entries.get(key);
    if (known === undefined || known.token !== token || known.completed) return false;
    const data = options?.data ?? known.data;
    this.#put({ ...known, data, duration: lease, until: this.#now() + lease });
    return true;
  }

  async complete(key: string, token: string, retention: number, options?: KeyOptions): Promise<boolean> {
    checkComplete({ key, token, retention }, options);
    checkNoClient(options);
    const now = this.#now();
    const known = this.#entries.get(key);
    if (known === undefined || known.token !== token) return false;
    if (isForgotten(known, now)) return false;
    const data = options?.data ?? known.data;
    const until = now + retention;
    // A second call may extend the retention of the first, but never shorten it.
    if (known.completed && known.until >= until) this.#put({ ...known, data });
    else this.#put({ ...known, data, completed: true, duration: retention, until });
    // It may have grown because of claims with a running lease.
    this.#makeRoom(now);
    return true;
  }

  async release(key: string, token: string, options?: ReleaseOptions): Promise<boolean> {
    checkRelease({ key, token }, options);
    checkNoClient(options);
    const known = this.#entries.get(key);
    if (known === undefined || known.token !== token || known.completed) return false;
    const { data = known.data, retention } = options ?? {};
    const [completed, duration] = [retention !== undefined, retention ?? 0];
    this.#put({ ...known, token: undefined, completed, duration, until: this.#now() + duration, data });
    return true;
  }

  async open(query: OpenQuery): Promise<readonly OpenClaim[]> {
    checkOpen(query);
    const { prefix, after = '', limit } = query;
    const now = this.#now();
    return [...this.#open.values()]
      .filter(({ key }) => key.startsWith(prefix) && compareCodePoints(key, after) > 0)
      .sort((one, other) => compareCodePoints(one.key, other.key))
      .slice(0, limit)
      .map(({ key, data, attempt, until, since }) => ({
        key,
        data,
        attempt,
        leased: Math.max(0, Math.ceil(until - now)),
        age: Math.floor(now - since),
      }));
  }

  countAttempt(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    return this.#velocity.countAttempt(id, entries);
  }

  takeBackAttempt(id: string, keys: readonly string[]): Promise<void> {
    return this.#velocity.takeBackAttempt(id, keys);
  }

  async advance(key: string, version: number, data: string, options?: TransactionOptions): Promise<Snapshot> {
    checkAdvance({ key, version, data }, options);
    checkNoClient(options);
    const known = this.#snapshots.get(key);
    if (known !== undefined && known.version >= version) return known;
    const snapshot = { version, data };
    this.#snapshots.set(key, snapshot);
    return snapshot;
  }

  #put(entry: Entry): void {
    this.#drop(this.#entries.get(entry.key));
    this.#entries.set(entry.key, entry);
    if (isOpen(entry)) this.#open.set(entry.key, entry);
    else this.#linesOf(entry).add(entry);
  }

  #drop(entry: Entry | undefined): void {
    if (entry === undefined) return;
    this.#entries.delete(entry.key);
    this.#open.delete(entry.key);
    this.#linesOf(entry).delete(entry);
  }

  #linesOf({ completed, data }: Entry): ExpiryLines<Entry> {
    if (data !== undefined) return this.#closed;
    return completed ? this.#completed : this.#claims;
  }

  /** The number of keys with data. */
  get #operations(): number {
    return this.#open.size + this.#closed.size;
  }

  /** @throws PaymentsError `STORE_FULL` if there is no room: without its record, an operation would be sent again. */
  #makeRoomForOperation(now: number): void {
    let closed = this.#closed.nextToExpire();
    while (closed !== undefined && closed.until <= now) {
      this.#drop(closed);
      closed = this.#closed.nextToExpire();
    }
    if (this.#operations >= this.#maxOperations) throw full(this.#maxOperations);
    if (this.#hasWarned || this.#operations + 1 < warnedShare * this.#maxOperations) return;
    this.#hasWarned = true;
    const [operations, maxOperations] = [this.#operations + 1, this.#maxOperations];
    const message = `memoryStore has ${operations} operations and refuses more than ${maxOperations}: use sqliteStore, redisStore or postgresStore`;
    writeLine(this.#logger, 'warn', message, { operations, maxOperations });
  }

  #makeRoom(now: number): void {
    // Keys with data have a limit of their own: a full journal would otherwise evict the records of handled events.
    while (this.#entries.size - this.#operations > this.#maxEntries) {
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
  #leastNeeded(now: number): Entry | undefined {
    const expired = this.#completed.nextToExpire();
    if (expired !== undefined && expired.until <= now) return expired;
    const lapsed = this.#claims.nextToExpire();
    if (lapsed !== undefined && lapsed.until <= now) return lapsed;
    return this.#completed.oldest();
  }
}

/**
 * Creates a store in the memory of one process. Use it for development, for tests, and for a single-process service whose
 * handlers tolerate a repeated event after a restart.
 *
 * When the store has `maxEntries` keys without data, it deletes some of them in this order:
 *
 * - first, expired keys;
 * - then claims whose lease has expired;
 * - then completed keys, the earliest completion first.
 *
 * It never deletes a claim with a running lease. The store grows instead: without that key, an event could be handled twice
 * at the same time.
 *
 * It deletes a key with data, such as an operation of a journal, only after its retention. At 80 % of `maxOperations` it warns
 * once. When it is full, a claim of a new key with data throws a `PaymentsError` with the code `STORE_FULL`.
 *
 * Of counted attempts, it deletes the oldest key and the oldest attempt first. It never deletes snapshots, so their number
 * has no limit.
 *
 * @throws ConfigurationError when an option is wrong.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  checkOptions('memoryStore', optionsSchema, options);
  return new MemoryStore(options);
}
