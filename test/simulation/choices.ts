import { drawsFrom, seedOf } from '../support/draws.ts';

/**
 * The choices of one episode. Each depends only on the seed and its own name, so leaving one fault or operation out
 * does not change the others.
 */
export class Choices {
  /** The faults that occurred, in order. */
  readonly faults: string[] = [];
  /** The optional processes, in order. */
  readonly extras: string[] = [];
  readonly #seed: number;
  readonly #leftOut: ReadonlySet<string>;
  /** How many of a thousand steps get a fault. Episodes differ, since rare faults and bursts find different defects. */
  readonly #rate: number;

  constructor(seed: number, leftOut: ReadonlySet<string>) {
    this.#seed = seed;
    this.#leftOut = leftOut;
    this.#rate = [0, 5, 10, 30, 150][this.draw('rate', 5)] ?? 0;
  }

  /** Returns whether an operation or an optional process is included. */
  includes(name: string): boolean {
    return !this.#leftOut.has(name);
  }

  /** Returns an integer from 0 to below a limit. */
  draw(name: string, bound: number): number {
    return drawsFrom(this.#seed ^ seedOf(name))(bound);
  }

  /** Returns a fault for a step; mostly none. */
  faultOf<Fault extends string>(step: string, faults: readonly Fault[], share = 1): Fault | undefined {
    if (this.draw(step, 1000) >= this.#rate * share) return undefined;
    const fault = faults[this.draw(`${step}?`, faults.length)];
    const name = `${step}: ${fault}`;
    if (this.#leftOut.has(name)) return undefined;
    this.faults.push(name);
    return fault;
  }
}
