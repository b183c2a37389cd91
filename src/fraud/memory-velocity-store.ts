import { integerFrom, optionsOf } from '../base/options.ts';
import { optional } from '../base/schema.ts';
import { checkShape } from './refuse.ts';
import type { VelocityEntry, VelocityReference, VelocityStore, VelocityTotals } from './velocity-store.ts';

/** Options of the memory store. */
export interface MemoryVelocityStoreOptions {
  /** How many entries it holds at most, an integer from 1. Default: 100,000, about 30 MB. */
  readonly maxEntries?: number | undefined;
}

const optionsSchema = optionsOf<MemoryVelocityStoreOptions>({
  maxEntries: optional(integerFrom(1, 10_000_000)),
});

type Kept = Pick<VelocityEntry, 'at' | 'amount'>;

/**
 * Counts in the memory of one process, for tests and for programs that run once. When it is full it forgets the
 * entries of the key that was not used for longest, and with them their part in a limit.
 */
export class MemoryVelocityStore implements VelocityStore {
  readonly #maxEntries: number;
  /** By key, the one used last at the end; under each key by id, in the order they came. */
  readonly #entries = new Map<string, Map<string, Kept>>();
  #size = 0;

  /** @throws RangeError when `maxEntries` is out of bounds. */
  constructor(options: MemoryVelocityStoreOptions = {}) {
    checkShape('MemoryVelocityStore', optionsSchema, options);
    this.#maxEntries = options.maxEntries ?? 100_000;
  }

  /** How many entries it holds, those included that are too old to count and were not touched since. */
  get size(): number {
    return this.#size;
  }

  /** Adds entries and gives the totals of their keys. */
  async record(entries: readonly VelocityEntry[]): Promise<readonly VelocityTotals[]> {
    return entries.map((entry) => this.#record(entry));
  }

  /** Takes entries out. */
  async remove(references: readonly VelocityReference[]): Promise<void> {
    for (const { key, id } of references) {
      const kept = this.#entries.get(key);
      if (kept !== undefined) this.#drop(key, kept, [id]);
    }
  }

  #record({ key, id, at, amount, windowMs }: VelocityEntry): VelocityTotals {
    const kept = this.#touch(key, at - windowMs);
    const added = !kept.has(id);
    if (added) {
      kept.set(id, { at, amount });
      this.#size += 1;
      this.#makeRoom();
    }
    return { ...totalsOf(kept.values()), added };
  }

  /** The entries of a key without those that are too old; the key is now the one used last. */
  #touch(key: string, after: number): Map<string, Kept> {
    const kept = this.#entries.get(key) ?? new Map<string, Kept>();
    const old = [...kept].filter(([, entry]) => entry.at <= after).map(([id]) => id);
    this.#drop(key, kept, old);
    this.#entries.delete(key);
    this.#entries.set(key, kept);
    return kept;
  }

  #makeRoom(): void {
    for (const [key, kept] of this.#entries) {
      for (const id of kept.keys()) {
        if (this.#size <= this.#maxEntries) return;
        this.#drop(key, kept, [id]);
      }
    }
  }

  #drop(key: string, kept: Map<string, Kept>, ids: readonly string[]): void {
    for (const id of ids) {
      if (kept.delete(id)) this.#size -= 1;
    }
    if (kept.size === 0) this.#entries.delete(key);
  }
}

function totalsOf(entries: Iterable<Kept>): Omit<VelocityTotals, 'added'> {
  let [count, sum, oldestAt] = [0, 0n, Number.POSITIVE_INFINITY];
  for (const { at, amount } of entries) {
    count += 1;
    sum += amount;
    oldestAt = Math.min(oldestAt, at);
  }
  return { count, sum, oldestAt };
}
