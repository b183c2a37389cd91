import type { Lists } from '../records/velocity-count.ts';
import { byExpiry, SortedQueue } from './sorted-queue.ts';

interface Kept<Item> {
  readonly key: string;
  readonly until: number;
  items: readonly Item[];
}

/** Lists in memory. With too many items, removes the list that was stored first. */
export class MemoryLists<Item> implements Lists<Item> {
  readonly #maxItems: number;
  readonly #kept = new Map<string, Kept<Item>>();
  readonly #byExpiry = new SortedQueue<Kept<Item>>(byExpiry);
  readonly #byAge = new SortedQueue<Kept<Item>>();
  #size = 0;

  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  get(key: string): readonly Item[] {
    return this.#kept.get(key)?.items ?? [];
  }

  put(key: string, items: readonly Item[], until: number): void {
    this.#drop(this.#kept.get(key));
    const kept = { key, items, until };
    this.#kept.set(key, kept);
    this.#byExpiry.add(kept);
    this.#byAge.add(kept);
    this.#size += items.length;
    while (this.#size > this.#maxItems && this.#kept.size > 1) this.#drop(this.#byAge.first());
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
    for (let kept = this.#byExpiry.first(); kept && kept.until <= now; kept = this.#byExpiry.first()) {
      this.#drop(kept);
    }
  }

  #drop(kept: Kept<Item> | undefined): void {
    if (kept === undefined) return;
    this.#kept.delete(kept.key);
    this.#byExpiry.delete(kept);
    this.#byAge.delete(kept);
    this.#size -= kept.items.length;
  }
}
