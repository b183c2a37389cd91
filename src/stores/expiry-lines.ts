/** What stands in a line. */
export interface Expiring {
  /** How long it is kept from the time it was added, in ms. */
  readonly duration: number;
  /** When it expires, in ms on the clock of its owner. */
  readonly until: number;
}

/** A place in a line. It is linked by hand, since to find the first of a `Map` passes over all that was deleted. */
interface Place<Item> {
  readonly item: Item;
  previous: Place<Item> | undefined;
  next: Place<Item> | undefined;
}

interface Line<Item> {
  readonly first: Place<Item>;
  readonly last: Place<Item>;
}

/** Links a place to the end of a line. Gives the line that this makes. */
function append<Item>(line: Line<Item> | undefined, place: Place<Item>): Line<Item> {
  if (line === undefined) return { first: place, last: place };
  place.previous = line.last;
  line.last.next = place;
  return { first: line.first, last: place };
}

/** Takes a place out of its line. Gives what is left of the line, or nothing. */
function unlink<Item>(line: Line<Item>, { previous, next }: Place<Item>): Line<Item> | undefined {
  const first = previous === undefined ? next : line.first;
  const last = next === undefined ? previous : line.last;
  if (previous !== undefined) previous.next = next;
  if (next !== undefined) next.previous = previous;
  return first === undefined || last === undefined ? undefined : { first, last };
}

/**
 * Items in the order in which they expire: one line for each duration, since of equal durations the one added first
 * expires first. Each operation takes as long as there are different durations, which come from the configuration: one,
 * as a rule, however many items there are.
 */
export class ExpiryLines<Item extends Expiring> {
  readonly #lines = new Map<number, Line<Item>>();
  readonly #places = new Map<Item, Place<Item>>();

  /** Adds an item that is not there yet. */
  add(item: Item): void {
    const place: Place<Item> = { item, previous: undefined, next: undefined };
    this.#places.set(item, place);
    this.#lines.set(item.duration, append(this.#lines.get(item.duration), place));
  }

  /** Takes an item out, where it is there. */
  delete(item: Item): void {
    const place = this.#places.get(item);
    const line = this.#lines.get(item.duration);
    if (place === undefined || line === undefined) return;
    this.#places.delete(item);
    const rest = unlink(line, place);
    if (rest === undefined) this.#lines.delete(item.duration);
    else this.#lines.set(item.duration, rest);
  }

  /** The item that expires first. */
  nextToExpire(): Item | undefined {
    return this.#least((item) => item.until);
  }

  /** The item that was added first. */
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
