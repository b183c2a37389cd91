/** Draws integers from 0 to below a limit. */
export type Draw = (bound: number) => number;

/** Mulberry32: the same seed gives the same draws. */
export function drawsFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** Returns separate draws for each case, so that a case can be repeated alone. */
export function drawsOf(seed: number, number: number): Draw {
  return drawsFrom(seed ^ Math.imul(number + 1, 0x9e37_79b1));
}

/** Returns the seed of a text, by FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  return hash >>> 0;
}

/** Picks an item. */
export function pick<T>(draw: Draw, from: readonly T[]): T {
  const one = from[draw(from.length)];
  if (one === undefined) throw new Error('There is nothing to pick from.');
  return one;
}
