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

  /** All items, the earliest first. */
  inOrder(): readonly T[] {
    return [...this.#entries.toArray()].sort(compare).map(({ item }) => item);
  }
}
