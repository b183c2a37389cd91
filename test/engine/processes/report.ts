/** What the suites of this folder share: the seed of their plans, and how they print what they counted. */

import fc from 'fast-check';

/** Set ENGINE_SEED to use another seed. */
export const seed = Number(process.env['ENGINE_SEED'] ?? 20_261_121) >>> 0;

/** Draws one value. Processes run at their own speed, so a plan repeats what was asked, and not how it went: nothing is shrunk. */
export function drawOne<T>(arbitrary: fc.Arbitrary<T>, offset: number): T {
  const [value] = fc.sample(arbitrary, { seed: seed + offset, numRuns: 1 });
  if (value === undefined) throw new Error('fast-check drew nothing');
  return value;
}

/** A list of one length. */
export function exactly<T>(length: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(arbitrary, { minLength: length, maxLength: length, size: 'max' });
}

/** Counts equal items. */
export function tally(items: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of [...items].sort()) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}

/** Prints counts on one line. */
export function report(title: string, counts: Readonly<Record<string, number>>): void {
  const all = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`${title}: ${all.join(', ')}\n`);
}
