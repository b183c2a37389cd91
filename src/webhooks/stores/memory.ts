import { checkOptions } from '../../base/check-options.ts';
import { functionOf, integerFrom, optionsOf } from '../../base/options.ts';
import * as s from '../../base/schema.ts';
import { checkClaim, checkComplete, checkNoClient, checkRelease } from './checks.ts';
import { type Expiring, ExpiryLines } from './expiry-lines.ts';
import type { ClaimResult, WebhookStore } from './store.ts';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** How many events it remembers, an integer from 1 to 10,000,000. Default: 100,000, about 40 MB. */
  readonly maxEntries?: number | undefined;
  /**
   * The time in ms from any origin, for tests that let leases run out without waiting. It must not go back. Default:
   * `performance.now`, which a correction of the machine's clock does not move.
   */
  readonly now?: (() => number) | undefined;
}

const optionsSchema = optionsOf<MemoryStoreOptions>({
  maxEntries: s.optional(integerFrom(1, 10_000_000)),
  now: s.optional(functionOf<() => number>()),
});

/** What is known of one event. A record never changes: another takes its place. */
interface Entry extends Expiring {
  readonly key: string;
  /** Of the claim; none once it was released. */
  readonly token: string | undefined;
  readonly attempt: number;
  readonly completed: boolean;
}

class MemoryStore implements WebhookStore {
  readonly #maxEntries: number;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #claims = new ExpiryLines<Entry>();
  readonly #completed = new ExpiryLines<Entry>();

  constructor(maxEntries: number, now: () => number) {
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  async claim(key: string, lease: number, client?: never): Promise<ClaimResult> {
    checkNoClient(client);
    checkClaim({ key, lease });
    const now = this.#now();
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > now) {
      if (known.completed) return { status: 'completed' };
      return { status: 'in_progress', retryAfter: Math.ceil(known.until - now) };
    }
    const attempt = known === undefined || known.completed ? 1 : known.attempt + 1;
    const token = crypto.randomUUID();
    this.#put({ key, token, attempt, completed: false, duration: lease, until: now + lease });
    this.#makeRoom(now);
    return { status: 'claimed', token, attempt };
  }

  async complete(key: string, token: string, retention: number, client?: never): Promise<boolean> {
    checkNoClient(client);
    checkComplete({ key, token, retention });
    const now = this.#now();
    const known = this.#entries.get(key);
    if (known === undefined || known.token !== token) return false;
    if (known.completed && known.until <= now) return false;
    const until = now + retention;
    // A second call may lengthen what the first promised, and never shorten it.
    if (!known.completed || known.until < until) {
      this.#put({ ...known, completed: true, duration: retention, until });
    }
    return true;
  }

  async release(key: string, token: string, client?: never): Promise<void> {
    checkNoClient(client);
    checkRelease({ key, token });
    const known = this.#entries.get(key);
    if (known === undefined || known.token !== token || known.completed) return;
    this.#put({ ...known, token: undefined, duration: 0, until: this.#now() });
  }

  #put(entry: Entry): void {
    this.#drop(this.#entries.get(entry.key));
    this.#entries.set(entry.key, entry);
    this.#linesOf(entry).add(entry);
  }

  #drop(entry: Entry | undefined): void {
    if (entry === undefined) return;
    this.#entries.delete(entry.key);
    this.#linesOf(entry).delete(entry);
  }

  #linesOf({ completed }: Entry): ExpiryLines<Entry> {
    return completed ? this.#completed : this.#claims;
  }

  #makeRoom(now: number): void {
    while (this.#entries.size > this.#maxEntries) {
      const entry = this.#leastNeeded(now);
      // Only live claims are left: it grows rather than let an event be handled twice at the same time.
      if (entry === undefined) return;
      this.#drop(entry);
    }
  }

  /**
   * What has expired says nothing any more. A claim that ran out says only how often it was tried, so it goes before the
   * record of what was handled, without which an event is handled again.
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
 * Remembers events in the memory of one process: for development, tests, and a service that runs as one process and
 * whose handlers do no harm when an event comes again after a restart.
 *
 * When it is full, it forgets first what has expired, then claims whose lease ran out, then the event that was completed
 * longest ago. A claim whose lease runs is never forgotten: where there are more of these than `maxEntries`, it holds
 * them all until they end, since to refuse or to forget one would lose an event or handle it twice at once.
 *
 * @throws ConfigurationError when an option is wrong.
 */
export function memoryStore(options: MemoryStoreOptions = {}): WebhookStore {
  checkOptions('memoryStore', optionsSchema, options);
  const { maxEntries = 100_000, now = () => performance.now() } = options;
  return new MemoryStore(maxEntries, now);
}
