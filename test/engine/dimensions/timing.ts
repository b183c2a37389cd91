import fc from 'fast-check';

/**
 * Between two awaits: how long each step takes, in thousandths of its longest time. A step has the number of its own name,
 * so leaving an operation out does not change the others.
 */
export type Pace = readonly [number, ...number[]];

export const paces: fc.Arbitrary<Pace> = fc
  .array(fc.nat(999), { minLength: 1, maxLength: 60, size: 'max' })
  .map(([first = 0, ...others]): Pace => [first, ...others]);

/** Returns the time of a step, below its longest time. */
export function timeOf(pace: Pace, step: string, longest: number): number {
  return Math.floor(((pace[fc.hash(step) % pace.length] ?? 0) * longest) / 1000);
}
