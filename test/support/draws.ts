/** Draws that follow from a seed, so that whatever they lead to can be made again. */

/** Draws whole numbers from 0 to below a bound. */
export type Draw = (bound: number) => number;

/** Mulberry32. Each case has draws of its own, so that it can be made again without those before it. */
export function drawsOf(seed: number, number: number): Draw {
  let state = (seed ^ Math.imul(number + 1, 0x9e37_79b1)) >>> 0;
  return (bound) => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** One of several. */
export function pick<T>(draw: Draw, from: readonly T[]): T {
  const one = from[draw(from.length)];
  if (one === undefined) throw new Error('There is nothing to pick from.');
  return one;
}
