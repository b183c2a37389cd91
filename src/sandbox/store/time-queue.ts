import { Heap } from '@datastructures-js/heap';

interface Entry<T> {
  readonly item: T;
  readonly order: number;
}

function compare(one: Entry<{ readonly at: number }>, other: Entry<{ readonly at: number }>): number {
  return one.item.at - other.item.at || one.order - other.order;
}

/** A priority queue by time; items with the same time come in the order of their addition. */
export class TimeQueue<T extends { readonly at: number }> {
  readonly #entries = new Heap<Entry<T>>(compare);
  #count = 0;

  /** Returns the earliest item and keeps it. */
  peek(): T | undefined {
    return this.#entries.root()?.item;
  }

  add(item: T): void {
    this.#entries.insert({ item, order: this.#count });
    this.#count += 1;
  }

  /** Removes and returns the earliest item. */
  take(): T | undefined {
    return this.#entries.extractRoot()?.item;
  }

  /** Returns the earliest matching items, at most `count`, and keeps them. Drops the other items before them. */
  first(count: number, matches: (item: T) => boolean): readonly T[] {
    const found: Entry<T>[] = [];
    while (found.length < count) {
      const entry = this.#entries.extractRoot();
      if (entry === null) break;
      if (matches(entry.item)) found.push(entry);
    }
    for (const entry of found) this.#entries.insert(entry);
    return found.map(({ item }) => item);
  }

  /** Returns all items, earliest first. */
  inOrder(): readonly T[] {
    return [...this.#entries.toArray()].sort(compare).map(({ item }) => item);
  }
}
