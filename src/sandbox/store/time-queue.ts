import { PriorityQueue } from '@datastructures-js/priority-queue';

interface Entry<T> {
  readonly item: T;
  readonly order: number;
}

/** A queue that gives the earliest item first; of the same time, the one that came first. */
export class TimeQueue<T extends { readonly at: number }> {
  readonly #entries = new PriorityQueue<Entry<T>>(
    (one, other) => one.item.at - other.item.at || one.order - other.order,
  );
  #count = 0;

  /** The earliest item, which stays. */
  peek(): T | undefined {
    return this.#entries.front()?.item;
  }

  add(item: T): void {
    this.#entries.push({ item, order: this.#count });
    this.#count += 1;
  }

  /** Takes the earliest item out. */
  take(): T | undefined {
    return this.#entries.pop()?.item;
  }

  /** All items, the earliest first. */
  inOrder(): readonly T[] {
    return this.#entries.toArray().map(({ item }) => item);
  }
}
