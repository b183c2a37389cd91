import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { sha256Hex } from '../base/hash.ts';

/** A seeded pseudorandom generator. Not for secrets. */
export class Random {
  readonly #generator: RandomGenerator;

  constructor(seed: string) {
    // The hash makes similar seeds give unrelated numbers.
    this.#generator = xoroshiro128plus(Number.parseInt(sha256Hex(seed).slice(0, 8), 16));
  }

  /** Returns a number from 0 (included) to 1 (excluded). */
  fraction(): number {
    return uniformFloat64(this.#generator);
  }

  /** Returns an integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return uniformInt(this.#generator, min, max);
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
