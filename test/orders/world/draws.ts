/** Random choices from one seed: the same seed gives the same choices. */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Neighbouring seeds begin alike.
    for (let round = 0; round < 4; round += 1) this.fraction();
  }

  /** Returns a number from 0 up to, but not including, 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Returns an integer from 0 to `count - 1`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  /** Returns one of the items. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  /** Returns one of the items; `undefined` if there are none. */
  pickAny<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  /** Returns a name, as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    // The keys of an object are those of its type.
    const names = Object.keys(weights) as Name[];
    let rest = this.fraction() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      rest -= weights[name];
      if (rest < 0) return name;
    }
    throw new Error('Expected a weight above zero.');
  }
}
