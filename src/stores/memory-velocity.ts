import type { VelocityEntry, VelocityReference, VelocityStore, VelocityTotals } from './velocity-store.ts';

type Kept = Pick<VelocityEntry, 'at' | 'amount'>;

/**
 * Counts attempts in the memory of one process. When it is full it forgets the attempts of the key that was not used for longest, and
 * with them their part in a limit.
 */
export class MemoryVelocity implements VelocityStore {
  readonly #maxEntries: number;
  /** By key, the one used last at the end; under each key by id, in the order they came. */
  readonly #entries = new Map<string, Map<string, Kept>>();
  #size = 0;

  constructor(maxEntries = 100_000) {
    this.#maxEntries = maxEntries;
  }

  async countAttempts(entries: readonly VelocityEntry[]): Promise<readonly VelocityTotals[]> {
    return entries.map((entry) => this.#count(entry));
  }

  async removeAttempts(references: readonly VelocityReference[]): Promise<void> {
    for (const { key, id } of references) {
      const kept = this.#entries.get(key);
      if (kept !== undefined) this.#drop(key, kept, [id]);
    }
  }

  #count({ key, id, at, amount, windowMs }: VelocityEntry): VelocityTotals {
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
