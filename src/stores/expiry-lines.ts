/** An item with an expiry. */
export interface Expiring {
  /** The item's lifetime from its insertion, in ms. */
  readonly duration: number;
  /** When the item expires, in ms on the owner's clock. */
  readonly until: number;
}

/** A node of a linked list. Linked by hand: finding the first key of a `Map` scans all deleted keys. */
interface Place<Item> {
  readonly item: Item;
  previous: Place<Item> | undefined;
  next: Place<Item> | undefined;
}

interface Line<Item> {
  readonly first: Place<Item>;
  readonly last: Place<Item>;
}

/** Appends a node to a list. Returns the resulting list. */
function append<Item>(line: Line<Item> | undefined, place: Place<Item>): Line<Item> {
  if (line === undefined) return { first: place, last: place };
  place.previous = line.last;
  line.last.next = place;
  return { first: line.first, last: place };
}

/** Removes a node from its list. Returns the remaining list, or nothing. */
function unlink<Item>(line: Line<Item>, { previous, next }: Place<Item>): Line<Item> | undefined {
  const first = previous === undefined ? next : line.first;
  const last = next === undefined ? previous : line.last;
  if (previous !== undefined) previous.next = next;
  if (next !== undefined) next.previous = previous;
  return first === undefined || last === undefined ? undefined : { first, last };
}

/**
 * Orders items by expiry: one queue per duration, since among equal durations the first item added expires first. An
 * operation takes time proportional to the number of different durations. These come from the configuration: usually
 * one, however many items there are.
 */
export class ExpiryLines<Item extends Expiring> {
  readonly #lines = new Map<number, Line<Item>>();
  readonly #places = new Map<Item, Place<Item>>();

  /** The number of items. */
  get size(): number {
    return this.#places.size;
  }

  /** Adds a new item. */
  add(item: Item): void {
    const place: Place<Item> = { item, previous: undefined, next: undefined };
    this.#places.set(item, place);
    this.#lines.set(item.duration, append(this.#lines.get(item.duration), place));
  }

  /** Removes an item, if present. */
  delete(item: Item): void {
    const place = this.#places.get(item);
    const line = this.#lines.get(item.duration);
    if (place === undefined || line === undefined) return;
    this.#places.delete(item);
    const rest = unlink(line, place);
    if (rest === undefined) this.#lines.delete(item.duration);
    else this.#lines.set(item.duration, rest);
  }

  /** Returns the item that expires first. */
  nextToExpire(): Item | undefined {
    return this.#least((item) => item.until);
  }

  /** Returns the item that was added first. */
  oldest(): Item | undefined {
    return this.#least((item) => item.until - item.duration);
  }

  #least(measure: (item: Item) => number): Item | undefined {
    let least: Item | undefined;
    for (const { first } of this.#lines.values()) {
      if (least === undefined || measure(first.item) < measure(least)) least = first.item;
    }
    return least;
  }
}
