/** What the suites of this folder share: the seed of their faults, and how they print what they counted. */

/** Set CRASH_SEED to use another seed. */
export const seed = Number(process.env['CRASH_SEED'] ?? 20_261_121) >>> 0;

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
