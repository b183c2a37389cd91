interface Entry<T> {
  /** How many objects were added before it; it never changes. */
  readonly sequence: number;
  item: T;
  removed: boolean;
}

/** Is told of each change. */
export interface ChangeListener<T> {
  /** What an object was, and what it is. */
  changed(before: T | undefined, after: T | undefined): void;
}

/** The objects of one type. Objects are never changed in place, so what was handed out stays as it was. */
export class Collection<T extends { readonly id: string }> {
  /** What the objects are, in words, for messages. */
  readonly type: string;
  readonly #listener: ChangeListener<T> | undefined;
  /** Oldest first, without those that were removed. */
  readonly #entries: Entry<T>[] = [];
  /** Those that were removed too, so that a walk can go on from one. */
  readonly #byId = new Map<string, Entry<T>>();
  #added = 0;

  constructor(type: string, listener?: ChangeListener<T>) {
    this.type = type;
    this.#listener = listener;
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
    this.put(item.id, item);
    this.#listener?.changed(undefined, item);
    return item;
  }

  /** Puts an object in the place of the one that has its id, or adds it. */
  replace(item: T): T {
    const before = this.get(item.id);
    this.put(item.id, item);
    this.#listener?.changed(before, item);
    return item;
  }

  /** Removes an object. Its id stays known. */
  remove(id: string): void {
    const before = this.get(id);
    if (before === undefined) return;
    this.put(id, undefined);
    this.#listener?.changed(before, undefined);
  }

  /** Makes the object with an id what it is to be, and tells nobody: to take a change back, or to load it again. */
  put(id: string, item: T | undefined): void {
    const entry = this.#byId.get(id);
    if (item === undefined) this.#takeOut(entry);
    else if (entry === undefined) this.#append(item);
    else this.#set(entry, item);
  }

  /** Forgets an object as if it had never been added; for the one that was added last. */
  forgetNewest(id: string): void {
    const newest = this.#entries.at(-1);
    if (newest?.item.id !== id) throw new Error(`The ${this.type} '${id}' is not the newest.`);
    this.#entries.pop();
    this.#byId.delete(id);
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

  /** Every id that was ever added, in the order of time, with its object where it is still there. */
  *history(): Iterable<readonly [id: string, item: T | undefined]> {
    for (const [id, { item, removed }] of this.#byId) yield [id, removed ? undefined : item];
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

  #append(item: T): void {
    const entry = { sequence: this.#added, item, removed: false };
    this.#added += 1;
    this.#byId.set(item.id, entry);
    this.#entries.push(entry);
  }

  #set(entry: Entry<T>, item: T): void {
    entry.item = item;
    if (!entry.removed) return;
    entry.removed = false;
    this.#entries.splice(this.#countBefore(entry), 0, entry);
  }

  #takeOut(entry: Entry<T> | undefined): void {
    if (entry === undefined || entry.removed) return;
    entry.removed = true;
    this.#entries.splice(this.#countBefore(entry), 1);
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
