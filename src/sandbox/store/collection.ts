import { Holes } from './holes.ts';

/** Is told of each change. */
export interface ChangeListener<T> {
  /** What an object was, and what it is. */
  changed(before: T | undefined, after: T | undefined): void;
}

/** What a collection holds, as plain values. The objects are shared: nobody changes them. */
export interface CollectionImage<T> {
  /** The objects, oldest first. `undefined` stands for one that was removed and is still known by its id. */
  readonly items: readonly (T | undefined)[];
  /** The ids of those that were removed, in the same order. */
  readonly removed: readonly string[];
}

/** What becomes of the id of an object that is removed. */
export interface CollectionOptions {
  /** Whether it stays known, so that a walk can go on from it. Default: true. A log would grow for ever by it. */
  readonly remembersRemoved?: boolean;
}

/** Below so many, holes at the beginning are not worth moving the rest. */
const fewHoles = 1_024;

/**
 * The objects of one type. Objects are never changed in place, so what was handed out stays as it was.
 *
 * What it costs does not depend on how many there are, or on their logarithm at most: a page anywhere, a removal anywhere.
 */
export class Collection<T extends { readonly id: string }> {
  /** What the objects are, in words, for messages. */
  readonly type: string;
  readonly #listener: ChangeListener<T> | undefined;
  readonly #remembersRemoved: boolean;
  /** Oldest first; a hole where one was removed. */
  #slots: (T | undefined)[] = [];
  /** How many slots were cut off at the beginning. */
  #cut = 0;
  /** Which slot an id has, those that were cut off counted. Of those that were removed too. */
  #positions = new Map<string, number>();
  /** There is none until something is removed. */
  #holes: Holes | undefined;
  /** The ids that were removed and came again within the unit of work, newest last. */
  #revived: string[] = [];

  constructor(
    type: string,
    listener?: ChangeListener<T>,
    { remembersRemoved = true }: CollectionOptions = {},
  ) {
    this.type = type;
    this.#listener = listener;
    this.#remembersRemoved = remembersRemoved;
  }

  /** How many there are. */
  get size(): number {
    return this.#slots.length - (this.#holes?.total ?? 0);
  }

  /** Whether there never was any. */
  get isNew(): boolean {
    return this.#positions.size === 0;
  }

  /** All of them, oldest first. */
  all(): readonly T[] {
    return this.#slots.filter((item) => item !== undefined);
  }

  /**
   * Adds an object as the newest. One whose id was removed comes back in its old place.
   *
   * @throws Error when there is one with its id.
   */
  add(item: T): T {
    if (this.get(item.id) !== undefined) throw new Error(`There is a ${this.type} '${item.id}' already.`);
    return this.replace(item);
  }

  /** Puts an object in the place of the one that has its id, or adds it. */
  replace(item: T): T {
    const before = this.get(item.id);
    if (before === undefined && this.knows(item.id)) this.#revived.push(item.id);
    this.put(item.id, item);
    this.#listener?.changed(before, item);
    return item;
  }

  /** Removes an object. */
  remove(id: string): void {
    const before = this.get(id);
    if (before === undefined) return;
    this.put(id, undefined);
    this.#listener?.changed(before, undefined);
  }

  /** Makes the object with an id what it is to be, and tells nobody: to load a change again. */
  put(id: string, item: T | undefined): void {
    const position = this.#positions.get(id);
    if (position === undefined) this.#append(id, item);
    else this.#set(position - this.#cut, item);
  }

  /** Takes back the newest change of the unit of work. */
  undo(id: string, before: T | undefined): void {
    if (before !== undefined) this.put(id, before);
    else if (this.#revived.at(-1) === id) {
      this.#revived.pop();
      this.put(id, undefined);
    } else this.#forgetNewest(id);
  }

  /** A change of an object counts from now on, and is not taken back any more. */
  settle(id: string): void {
    if (this.#revived.length > 0) this.#revived = [];
    if (this.#remembersRemoved || this.get(id) !== undefined) return;
    this.#positions.delete(id);
    this.#cutHoles();
  }

  /** The object that has this id. */
  get(id: string): T | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#slots[position - this.#cut];
  }

  /** Whether an object has this id, or had it before it was removed. */
  knows(id: string): boolean {
    return this.#positions.has(id);
  }

  /** How many objects are older than the one that has this id, or had it. */
  countOlder(id: string): number | undefined {
    const position = this.#positions.get(id);
    if (position === undefined) return undefined;
    const index = position - this.#cut;
    return index - (this.#holes?.before(index) ?? 0);
  }

  /** Up to `limit` of the `count` oldest objects, newest first. The cost is that of what it gives. */
  newestOf(count: number, limit: number): readonly T[] {
    const end = Math.min(Math.max(0, count), this.size);
    const items: T[] = [];
    for (let rank = end - 1; rank >= Math.max(0, end - limit); rank -= 1) {
      const item = this.#slots[this.#holes?.indexOf(rank) ?? rank];
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  /** What it holds, as plain values. */
  image(): CollectionImage<T> {
    const removed: string[] = [];
    if (this.#holes === undefined) return { items: [...this.#slots], removed };
    for (const [id, position] of this.#positions) {
      if (this.#slots[position - this.#cut] === undefined) removed.push(id);
    }
    const items = this.#remembersRemoved ? [...this.#slots] : this.all();
    return { items, removed };
  }

  /** Holds what an image says, and nothing else. */
  load({ items, removed }: CollectionImage<T>): void {
    this.#slots = [];
    this.#positions = new Map();
    this.#cut = 0;
    this.#holes = undefined;
    this.#revived = [];
    let gone = 0;
    for (const item of items) {
      const id = item?.id ?? removed[gone];
      if (item === undefined) gone += 1;
      if (id === undefined) throw new Error(`The image of each ${this.type} is not whole.`);
      this.#append(id, item);
    }
  }

  #append(id: string, item: T | undefined): void {
    const index = this.#slots.push(item) - 1;
    this.#positions.set(id, index + this.#cut);
    this.#holes?.append();
    if (item === undefined) this.#dig(index);
  }

  #set(index: number, item: T | undefined): void {
    const before = this.#slots[index];
    this.#slots[index] = item;
    if (before === undefined && item !== undefined) this.#holes?.fill(index);
    if (before !== undefined && item === undefined) this.#dig(index);
  }

  #dig(index: number): void {
    this.#holes ??= new Holes(this.#slots.length);
    this.#holes.dig(index);
  }

  #forgetNewest(id: string): void {
    if (this.#slots.at(-1)?.id !== id) throw new Error(`The ${this.type} '${id}' is not the newest.`);
    this.#slots.pop();
    this.#holes?.shorten();
    this.#positions.delete(id);
  }

  /** A log loses its oldest all the time: when half of the slots are holes, those that are left move up. */
  #cutHoles(): void {
    const holes = this.#holes?.total ?? 0;
    if (holes < fewHoles || holes * 2 < this.#slots.length) return;
    this.load({ items: this.all(), removed: [] });
  }
}
