const growth = 2;

/**
 * Counts the holes in a long row of places, so that the n-th place that is no hole is found without walking there. A tree
 * of sums (Fenwick): each step costs the logarithm of the length.
 */
export class Holes {
  /** At a place counted from 1: the holes among as many places before it as its lowest bit says, itself included. */
  #sums: Int32Array;
  #length: number;
  #total = 0;

  constructor(length: number) {
    this.#length = length;
    this.#sums = new Int32Array(Math.max(64, (length + 1) * growth));
  }

  /** How many holes there are. */
  get total(): number {
    return this.#total;
  }

  /** One place more at the end, which is no hole. */
  append(): void {
    this.#length += 1;
    const place = this.#length;
    if (place >= this.#sums.length) this.#grow();
    const first = place - lowestBit(place);
    let sum = 0;
    for (let below = place - 1; below > first; below -= lowestBit(below)) sum += this.#sumAt(below);
    this.#sums[place] = sum;
  }

  /** One place less at the end. */
  shorten(): void {
    if (this.before(this.#length) > this.before(this.#length - 1)) this.fill(this.#length - 1);
    this.#length -= 1;
  }

  /** Makes a place, counted from 0, a hole. */
  dig(index: number): void {
    this.#change(index, 1);
  }

  /** Makes a hole a place again. */
  fill(index: number): void {
    this.#change(index, -1);
  }

  /** How many holes there are before a place. */
  before(index: number): number {
    let sum = 0;
    for (let place = index; place > 0; place -= lowestBit(place)) sum += this.#sumAt(place);
    return sum;
  }

  /** Where the place is that has so many others before it, holes not counted. */
  indexOf(count: number): number {
    let index = 0;
    let left = count;
    for (let step = highestBit(this.#length); step > 0; step >>>= 1) {
      const next = index + step;
      if (next > this.#length) continue;
      const present = step - this.#sumAt(next);
      if (present > left) continue;
      index = next;
      left -= present;
    }
    return index;
  }

  #change(index: number, by: 1 | -1): void {
    this.#total += by;
    for (let place = index + 1; place <= this.#length; place += lowestBit(place)) {
      this.#sums[place] = this.#sumAt(place) + by;
    }
  }

  #sumAt(place: number): number {
    return this.#sums[place] ?? 0;
  }

  #grow(): void {
    const sums = new Int32Array(this.#sums.length * growth);
    sums.set(this.#sums);
    this.#sums = sums;
  }
}

function lowestBit(value: number): number {
  return value & -value;
}

function highestBit(value: number): number {
  return value === 0 ? 0 : 1 << (31 - Math.clz32(value));
}
