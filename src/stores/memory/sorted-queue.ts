interface Expiring {
  readonly until: number;
}

/** Compares items by when they expire. */
export const byExpiry = (one: Expiring, other: Expiring) => one.until - other.until;

/** Room for deleted items before the first compaction. */
const slack = 32;

/**
 * Items in an order, kept as a sorted array. An item that belongs at the end, the usual case, is added in constant time. A
 * deleted item stays in the array until half of it is deleted, so a deletion costs constant time on average.
 */
export class SortedQueue<Item extends Place, Place = Item> {
  readonly #compare: (one: Place, other: Place) => number;
  readonly #live = new Set<Item>();
  #items: Item[] = [];
  /** All items before this index are deleted. */
  #start = 0;

  /** @param compare Default: the order in which items are added. */
  constructor(compare: (one: Place, other: Place) => number = () => 0) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#live.size;
  }

  add(item: Item): void {
    if (this.#items.length > 2 * this.size + slack) this.#compact();
    this.#live.add(item);
    const last = this.#items.at(-1);
    const isLast = last === undefined || this.#compare(last, item) <= 0;
    if (isLast) this.#items.push(item);
    else this.#items.splice(this.#indexAfter(item), 0, item);
  }

  delete(item: Item): void {
    this.#live.delete(item);
  }

  first(): Item | undefined {
    return this.page(undefined, 1)[0];
  }

  /** Returns up to `limit` items after a place; without one, the first items. */
  page(after: Place | undefined, limit: number): Item[] {
    const page: Item[] = [];
    let index = after === undefined ? this.#start : this.#indexAfter(after);
    for (; index < this.#items.length && page.length < limit; index += 1) {
      const item = this.#items[index];
      if (item !== undefined && this.#live.has(item)) page.push(item);
      else if (index === this.#start) this.#start += 1;
    }
    return page;
  }

  /** Returns the index of the first item after a place. */
  #indexAfter(place: Place): number {
    let [low, high] = [this.#start, this.#items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = this.#items[middle];
      if (item !== undefined && this.#compare(item, place) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compact(): void {
    this.#items = this.#items.filter((item) => this.#live.has(item));
    this.#start = 0;
  }
}
