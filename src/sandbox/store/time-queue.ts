import { Heap } from '@datastructures-js/heap';

interface Entry<T> {
  readonly item: T;
  readonly order: number;
}

function compare(one: Entry<{ readonly at: number }>, other: Entry<{ readonly at: number }>): number {
  return one.item.at - other.item.at || one.order - other.order;
}

/** A queue that gives the earliest item first; of the same time, the one that came first. */
export class TimeQueue<T extends { readonly at: number }> {
  readonly #entries = new Heap<Entry<T>>(compare);
  #count = 0;

  /** The earliest item, which stays. */
  peek(): T | undefined {
    return this.#entries.root()?.item;
  }

  add(item: T): void {
    this.#entries.insert({ item, order: this.#count });
    this.#count += 1;
  }

  /** Takes the earliest item out. */
  take(): T | undefined {
    return this.#entries.extractRoot()?.item;
  }

  /** The earliest items that are wanted, at most `count`, which stay. Drops those before them that are not wanted. */
  first(count: number, isWanted: (item: T) => boolean): readonly T[] {
    const wanted: Entry<T>[] = [];
    while (wanted.length < count) {
      const entry = this.#entries.extractRoot();
      if (entry === null) break;
      if (isWanted(entry.item)) wanted.push(entry);
    }
    for (const entry of wanted) this.#entries.insert(entry);
    return wanted.map(({ item }) => item);
  }

  /** All items, the earliest first. */
  inOrder(): readonly T[] {
    return [...this.#entries.toArray()].sort(compare).map(({ item }) => item);
  }
}
