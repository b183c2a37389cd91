import { drawsFrom, seedOf } from '../support/draws.ts';

/**
 * The choices of one episode. Each has a name and depends on the seed and that name alone, so that leaving one fault or one operation out
 * does not change the others.
 */
export class Choices {
  /** The faults that happened, in their order. */
  readonly faults: string[] = [];
  /** The processes that an episode could do without, in their order. */
  readonly extras: string[] = [];
  readonly #seed: number;
  readonly #leftOut: ReadonlySet<string>;
  /** How many of a thousand steps have a fault. Episodes differ, since rare faults and storms find different defects. */
  readonly #rate: number;

  constructor(seed: number, leftOut: ReadonlySet<string>) {
    this.#seed = seed;
    this.#leftOut = leftOut;
    this.#rate = [0, 5, 10, 30, 150][this.draw('rate', 5)] ?? 0;
  }

  /** Whether an operation, or a process that the episode could do without, is there. */
  includes(name: string): boolean {
    return !this.#leftOut.has(name);
  }

  /** A whole number from 0 to below the bound. */
  draw(name: string, bound: number): number {
    return drawsFrom(this.#seed ^ seedOf(name))(bound);
  }

  /** The fault of a step: one of these, or mostly none. */
  faultOf<Fault extends string>(step: string, faults: readonly Fault[], share = 1): Fault | undefined {
    if (this.draw(step, 1000) >= this.#rate * share) return undefined;
    const fault = faults[this.draw(`${step}?`, faults.length)];
    const name = `${step}: ${fault}`;
    if (this.#leftOut.has(name)) return undefined;
    this.faults.push(name);
    return fault;
  }
}
