interface Entry<T> {
  /** How many objects were added before it; it never changes. */
  readonly sequence: number;
  item: T;
  removed: boolean;
}

/** The objects of one type. Objects are never changed in place, so what was handed out stays as it was. */
export class Collection<T extends { readonly id: string }> {
  /** What the objects are, in words, for messages. */
  readonly type: string;
  /** Oldest first, without those that were removed. */
  readonly #entries: Entry<T>[] = [];
  /** Those that were removed too, so that a walk can go on from one. */
  readonly #byId = new Map<string, Entry<T>>();

  constructor(type: string) {
    this.type = type;
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.length;
  }

  /** All of them, oldest first. */
  all(): readonly T[] {
    return this.#entries.map(({ item }) => item);
  }

  /** Adds an object as the newest. Its id must be new. */
  add(item: T): T {
    const entry = { sequence: this.#byId.size, item, removed: false };
    this.#byId.set(item.id, entry);
    this.#entries.push(entry);
    return item;
  }

  /** Puts an object in the place of the one that has its id, or adds it. */
  replace(item: T): T {
    const entry = this.#byId.get(item.id);
    if (entry === undefined) return this.add(item);
    entry.item = item;
    return item;
  }

  /** Removes an object. Its id stays known. */
  remove(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined || entry.removed) return;
    entry.removed = true;
    this.#entries.splice(this.#countBefore(entry), 1);
  }

  /** The object that has this id. */
  get(id: string): T | undefined {
    const entry = this.#byId.get(id);
    return entry === undefined || entry.removed ? undefined : entry.item;
  }

  /** Whether an object has this id, or had it before it was removed. */
  knows(id: string): boolean {
    return this.#byId.has(id);
  }

  /** How many objects are older than the one that has this id, or had it. */
  countOlder(id: string): number | undefined {
    const entry = this.#byId.get(id);
    return entry === undefined ? undefined : this.#countBefore(entry);
  }

  /** Up to `limit` of the `count` oldest objects, newest first. The cost is that of what it gives. */
  newestOf(count: number, limit: number): readonly T[] {
    const end = Math.max(0, count);
    return this.#entries
      .slice(Math.max(0, end - limit), end)
      .map(({ item }) => item)
      .reverse();
  }

  /** Halves the search until one place is left: sequences only rise, but removals leave holes. */
  #countBefore({ sequence }: Entry<T>): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#entries[middle];
      if (found !== undefined && found.sequence < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
