interface Placed<T> {
  readonly item: T;
  readonly order: number;
}

/** A queue that gives its first item first, by an order of its own; equal ones in the order in which they came. */
export class Heap<T> {
  readonly #isBefore: (one: T, other: T) => boolean;
  readonly #places: Placed<T>[] = [];
  #count = 0;

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  /** The first item, which stays. */
  peek(): T | undefined {
    return this.#places[0]?.item;
  }

  push(item: T): void {
    const places = this.#places;
    const placed = { item, order: this.#count };
    this.#count += 1;
    let index = places.length;
    while (index > 0) {
      const parentIndex = (index - 1) >>> 1;
      const parent = places[parentIndex];
      if (parent === undefined || !this.#precedes(placed, parent)) break;
      places[index] = parent;
      index = parentIndex;
    }
    places[index] = placed;
  }

  /** Takes the first item out. */
  pop(): T | undefined {
    const [first] = this.#places;
    const last = this.#places.pop();
    if (first === undefined || last === undefined) return undefined;
    if (last !== first) this.#sink(last);
    return first.item;
  }

  /** All items, the first one first. */
  inOrder(): readonly T[] {
    return this.#places
      .toSorted((one, other) => (this.#precedes(one, other) ? -1 : 1))
      .map(({ item }) => item);
  }

  #sink(placed: Placed<T>): void {
    const places = this.#places;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const childIndex = this.#firstOf(left, left + 1);
      const child = places[childIndex];
      if (child === undefined || !this.#precedes(child, placed)) break;
      places[index] = child;
      index = childIndex;
    }
    places[index] = placed;
  }

  #firstOf(left: number, right: number): number {
    const [one, other] = [this.#places[left], this.#places[right]];
    return one !== undefined && other !== undefined && this.#precedes(other, one) ? right : left;
  }

  #precedes(one: Placed<T>, other: Placed<T>): boolean {
    if (this.#isBefore(one.item, other.item)) return true;
    return !this.#isBefore(other.item, one.item) && one.order < other.order;
  }
}
