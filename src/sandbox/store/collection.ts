/** Anything that has an id. */
export interface Identified {
  /** The id. */
  readonly id: string;
}

/** Receives each change of an object. */
export interface ChangeListener<T> {
  changed(id: string, before: T | undefined, after: T | undefined): void;
}

/**
 * What a collection holds, oldest first: each id with its object, `undefined` where it was removed and its id is still known. The objects are
 * shared: nobody changes them.
 */
export type CollectionContents<T> = readonly (readonly [id: string, item: T | undefined])[];

/** What is special about a collection. */
export interface CollectionSettings {
  /** What its objects are called in messages. */
  readonly label: string;
  /** Whether the id of a removed object stays known, so that a walk goes on from it. A log would grow for ever by it. */
  readonly remembersRemoved: boolean;
}

/** Which objects a page has. */
export interface PageRange {
  /** Only objects that are older than the one that has this id, or had it. Default: all. */
  readonly olderThan?: string | undefined;
  /** How many of the newest are left out. Default: 0. */
  readonly skip?: number | undefined;
  /** How many it has at most. */
  readonly limit: number;
}

/** Below so many gaps, it is not worth closing them. */
const fewGaps = 1_024;

/**
 * The objects of one kind. Objects are never changed in place, so what was handed out stays as it was.
 *
 * They stand in one list, with a gap where one was removed. To find, add, replace or remove one costs the same however many there are; a page
 * costs what it has and skips.
 */
export class Collection<T extends Identified> {
  /** What the objects are called in messages. */
  readonly label: string;
  /** Whether the id of a removed object stays known. */
  readonly remembersRemoved: boolean;
  readonly #listener: ChangeListener<T> | undefined;
  /** Oldest first; `undefined` where one was removed. */
  #slots: (T | undefined)[] = [];
  /** The slot of each id, also of those that were removed. */
  #slotOf = new Map<string, number>();
  #gaps = 0;
  /** The ids that were removed and came again within the unit of work, newest last. */
  #revived: string[] = [];

  constructor({ label, remembersRemoved }: CollectionSettings, listener?: ChangeListener<T>) {
    this.label = label;
    this.remembersRemoved = remembersRemoved;
    this.#listener = listener;
  }

  /** How many there are. */
  get size(): number {
    return this.#slots.length - this.#gaps;
  }

  /** All of them, oldest first. */
  all(): readonly T[] {
    return this.#slots.filter((item) => item !== undefined);
  }

  /** The oldest one. */
  oldest(): T | undefined {
    return this.#slots.find((item) => item !== undefined);
  }

  /** A page, newest first; nothing where the id of its range is not known. */
  page({ olderThan, skip = 0, limit }: PageRange): readonly T[] {
    const items: T[] = [];
    let left = skip;
    let slot = olderThan === undefined ? this.#slots.length : (this.#slotOf.get(olderThan) ?? 0);
    while (slot > 0 && items.length < limit) {
      slot -= 1;
      const item = this.#slots[slot];
      if (item === undefined) continue;
      if (left > 0) left -= 1;
      else items.push(item);
    }
    return items;
  }

  /** The object that has this id. */
  get(id: string): T | undefined {
    const slot = this.#slotOf.get(id);
    return slot === undefined ? undefined : this.#slots[slot];
  }

  /** Whether an object has this id, or had it before it was removed. */
  knows(id: string): boolean {
    return this.#slotOf.has(id);
  }

  /**
   * Adds an object as the newest. One whose id was removed comes back in its old place.
   *
   * @throws Error when there is one with its id.
   */
  add(item: T): T {
    if (this.get(item.id) !== undefined) throw new Error(`There is a ${this.label} '${item.id}' already.`);
    return this.replace(item);
  }

  /** Puts an object in the place of the one that has its id, or adds it. */
  replace(item: T): T {
    const before = this.get(item.id);
    if (before === undefined && this.knows(item.id)) this.#revived.push(item.id);
    this.#put(item.id, item);
    this.#listener?.changed(item.id, before, item);
    return item;
  }

  /** Removes an object. */
  remove(id: string): void {
    const before = this.get(id);
    if (before === undefined) return;
    this.#put(id, undefined);
    this.#listener?.changed(id, before, undefined);
  }

  /** Takes back the newest change of the unit of work. */
  undo(id: string, before: T | undefined): void {
    const isRevived = this.#revived.at(-1) === id;
    if (before !== undefined || isRevived) this.#put(id, before);
    else this.#forgetNewest(id);
    if (before === undefined && isRevived) this.#revived.pop();
  }

  /** Makes the last change of an object final. */
  commit(id: string): void {
    this.#revived = [];
    if (this.remembersRemoved || this.get(id) !== undefined) return;
    this.#slotOf.delete(id);
    // A log loses its oldest all the time.
    if (this.#gaps >= fewGaps && this.#gaps * 2 >= this.#slots.length) this.load(this.contents());
  }

  /** What it holds, as plain values. */
  contents(): CollectionContents<T> {
    // Ids were added in the order of their slots.
    const known = [...this.#slotOf].map(([id, slot]) => [id, this.#slots[slot]] as const);
    return this.remembersRemoved ? known : known.filter(([, item]) => item !== undefined);
  }

  /** Holds these contents, and nothing else. */
  load(contents: CollectionContents<T>): void {
    this.#slots = [];
    this.#slotOf = new Map();
    this.#gaps = 0;
    this.#revived = [];
    for (const [id, item] of contents) this.#put(id, item);
  }

  #put(id: string, item: T | undefined): void {
    const slot = this.#slotOf.get(id) ?? this.#slots.length;
    const isNew = slot === this.#slots.length;
    if (isNew) this.#slotOf.set(id, slot);
    const wasGap = !isNew && this.#slots[slot] === undefined;
    this.#slots[slot] = item;
    this.#gaps += Number(item === undefined) - Number(wasGap);
  }

  #forgetNewest(id: string): void {
    if (this.#slots.at(-1)?.id !== id) throw new Error(`The ${this.label} '${id}' is not the newest.`);
    this.#slots.pop();
    this.#slotOf.delete(id);
  }
}
