/** The objects of one type. Objects are never changed in place, so what was handed out stays as it was. */
export class Collection<T extends { readonly id: string }> {
  /** What the objects are, in words, for messages. */
  readonly type: string;
  /** Oldest first. */
  readonly #items: T[] = [];
  readonly #positions = new Map<string, number>();

  constructor(type: string) {
    this.type = type;
  }

  /** How many there are. */
  get size(): number {
    return this.#items.length;
  }

  /** All of them, oldest first. */
  all(): readonly T[] {
    return [...this.#items];
  }

  /** Adds an object as the newest. */
  add(item: T): T {
    this.#positions.set(item.id, this.#items.length);
    this.#items.push(item);
    return item;
  }

  /** Puts an object in the place of the one that has its id, or adds it. */
  replace(item: T): T {
    const position = this.#positions.get(item.id);
    if (position === undefined) return this.add(item);
    this.#items[position] = item;
    return item;
  }

  /** The object that has this id. */
  get(id: string): T | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#items[position];
  }

  /** How many objects are older than the one that has this id. */
  countOlder(id: string): number | undefined {
    return this.#positions.get(id);
  }

  /** Up to `limit` of the `count` oldest objects, newest first. The cost is that of what it gives. */
  newestOf(count: number, limit: number): readonly T[] {
    const end = Math.max(0, count);
    return this.#items.slice(Math.max(0, end - limit), end).reverse();
  }
}
