export interface Identified {
  /** The id. */
  readonly id: string;
}

export interface ChangeListener<T> {
  changed(id: string, before: T | undefined, after: T | undefined): void;
}

/**
 * The contents of a collection, oldest first: each id with its object, `undefined` for a removed one whose id is
 * remembered. The objects are shared and immutable.
 */
export type CollectionContents<T> = readonly (readonly [id: string, item: T | undefined])[];

export interface CollectionSettings {
  /** The name of its objects in messages. */
  readonly label: string;
  /**
   * Whether the ids of removed objects are remembered, so that a cursor to one still works. A log would grow for ever
   * by it.
   */
  readonly remembersRemoved: boolean;
}

export interface PageRange {
  /** Only objects older than the one with this id, which may be removed. Default: all. */
  readonly olderThan?: string | undefined;
  /** How many of the newest objects to skip. Default: 0. */
  readonly skip?: number | undefined;
  readonly limit: number;
}

/** Below this number of gaps, compaction is not worth its cost. */
const fewGaps = 1_024;

/**
 * The objects of one kind. Objects are immutable, so a returned object never changes.
 *
 * They are stored in one list, with a gap for each removed one. Lookup, insertion, replacement and removal take
 * constant time; a page costs what it returns and skips.
 */
export class Collection<T extends Identified> {
  readonly label: string;
  readonly remembersRemoved: boolean;
  readonly #listener: ChangeListener<T> | undefined;
  /** Oldest first; `undefined` for a removed object. */
  #slots: (T | undefined)[] = [];
  /** The slot of each id, those of removed objects included. */
  #slotOf = new Map<string, number>();
  #gaps = 0;
  /** The ids that were removed and added again within the unit of work, newest last. */
  #revived: string[] = [];

  constructor({ label, remembersRemoved }: CollectionSettings, listener?: ChangeListener<T>) {
    this.label = label;
    this.remembersRemoved = remembersRemoved;
    this.#listener = listener;
  }

  get size(): number {
    return this.#slots.length - this.#gaps;
  }

  /** Returns all objects, oldest first. */
  all(): readonly T[] {
    return this.#slots.filter((item) => item !== undefined);
  }

  oldest(): T | undefined {
    return this.#slots.find((item) => item !== undefined);
  }

  /** Returns a page, newest first; empty if the id of its range is unknown. */
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

  get(id: string): T | undefined {
    const slot = this.#slotOf.get(id);
    return slot === undefined ? undefined : this.#slots[slot];
  }

  /** Whether an object has this id, or had it before its removal. */
  knows(id: string): boolean {
    return this.#slotOf.has(id);
  }

  /**
   * Adds an object as the newest. One with the id of a removed object takes its old position.
   *
   * @throws Error when the id exists.
   */
  add(item: T): T {
    if (this.get(item.id) !== undefined) throw new Error(`The ${this.label} '${item.id}' already exists.`);
    return this.replace(item);
  }

  /** Replaces the object with the same id, or adds it. */
  replace(item: T): T {
    const before = this.get(item.id);
    if (before === undefined && this.knows(item.id)) this.#revived.push(item.id);
    this.#put(item.id, item);
    this.#listener?.changed(item.id, before, item);
    return item;
  }

  remove(id: string): void {
    const before = this.get(id);
    if (before === undefined) return;
    this.#put(id, undefined);
    this.#listener?.changed(id, before, undefined);
  }

  /** Reverts the latest change of the unit of work. */
  undo(id: string, before: T | undefined): void {
    const isRevived = this.#revived.at(-1) === id;
    if (before !== undefined || isRevived) this.#put(id, before);
    else this.#forgetNewest(id);
    if (before === undefined && isRevived) this.#revived.pop();
  }

  /** Commits the latest change of an object. */
  commit(id: string): void {
    this.#revived = [];
    if (this.remembersRemoved || this.get(id) !== undefined) return;
    this.#slotOf.delete(id);
    // A log loses its oldest objects all the time.
    if (this.#gaps >= fewGaps && this.#gaps * 2 >= this.#slots.length) this.load(this.contents());
  }

  /** Returns the contents as plain values. */
  contents(): CollectionContents<T> {
    // Ids were added in the order of their slots.
    const known = [...this.#slotOf].map(([id, slot]) => [id, this.#slots[slot]] as const);
    return this.remembersRemoved ? known : known.filter(([, item]) => item !== undefined);
  }

  /** Replaces all contents. */
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
