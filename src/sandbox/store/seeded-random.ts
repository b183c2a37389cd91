/** FNV-1a: similar texts give unrelated numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** A seeded pseudorandom generator (mulberry32). Not for secrets. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /** Returns a number from 0 (included) to 1 (excluded). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** Returns `true` with a probability. */
  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Returns one element of a list that is not empty. */
  pick<T>(things: readonly T[]): T {
    const thing = things[this.integer(0, things.length - 1)];
    if (thing === undefined) throw new Error('There is nothing to pick from.');
    return thing;
  }
}
