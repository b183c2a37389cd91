import { type Expiring, ExpiryLines } from './expiry-lines.ts';
import {
  type Bucket,
  countAttempt,
  type Lists,
  type Part,
  takeBackAttempt,
  type VelocityRecords,
} from './velocity-count.ts';
import type { VelocityEntry, VelocityStore, VelocityTotal } from './velocity-store.ts';

interface Kept<Item> extends Expiring {
  readonly key: string;
  items: readonly Item[];
}

/** Lists in memory. With too many items, removes the oldest list. */
class MemoryLists<Item> implements Lists<Item> {
  readonly #maxEntries: number;
  readonly #kept = new Map<string, Kept<Item>>();
  readonly #lines = new ExpiryLines<Kept<Item>>();
  #size = 0;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): readonly Item[] {
    return this.#kept.get(key)?.items ?? [];
  }

  put(key: string, items: readonly Item[], { duration, until }: Expiring): void {
    this.#drop(this.#kept.get(key));
    const kept = { key, items, duration, until };
    this.#kept.set(key, kept);
    this.#lines.add(kept);
    this.#size += items.length;
    while (this.#size > this.#maxEntries && this.#kept.size > 1) this.#drop(this.#lines.oldest());
  }

  update(key: string, items: readonly Item[]): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#size += items.length - kept.items.length;
    kept.items = items;
    if (items.length === 0) this.#drop(kept);
  }

  /** Removes expired lists. */
  purge(now: number): void {
    for (;;) {
      const kept = this.#lines.nextToExpire();
      if (kept === undefined || kept.until > now) return;
      this.#drop(kept);
    }
  }

  #drop(kept: Kept<Item> | undefined): void {
    if (kept === undefined) return;
    this.#kept.delete(kept.key);
    this.#lines.delete(kept);
    this.#size -= kept.items.length;
  }
}

/** The machine's time at process start plus the time elapsed since, in ms since 1970. Clock corrections do not affect it. */
export const steadyTime = () => performance.timeOrigin + performance.now();

/**
 * Counts attempts in the memory of one process. Holds a limited number of buckets and of attempt parts; when full, it
 * drops the oldest counts.
 */
export class MemoryVelocity implements VelocityStore {
  readonly #now: () => number;
  readonly #buckets: MemoryLists<Bucket>;
  readonly #parts: MemoryLists<Part>;
  readonly #records: VelocityRecords;

  constructor(maxEntries = 100_000, now = steadyTime) {
    this.#now = now;
    this.#buckets = new MemoryLists(maxEntries);
    this.#parts = new MemoryLists(maxEntries);
    this.#records = { buckets: this.#buckets, parts: this.#parts };
  }

  async countAttempt(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    const now = this.#now();
    this.#buckets.purge(now);
    this.#parts.purge(now);
    return countAttempt(this.#records, now, id, entries);
  }

  async takeBackAttempt(id: string, keys: readonly string[]): Promise<void> {
    takeBackAttempt(this.#records, id, keys);
  }
}
