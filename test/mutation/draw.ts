/** Draws mutants from all rooms of `src/`. The same seed draws the same mutants of the same code. */

import { globSync, readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import fc from 'fast-check';

/** A mutant that Stryker finds in its range; the range may have others. */
export interface DrawnMutant {
  /** In the form that Stryker takes: `src/a.ts:1:2-1:9`. */
  readonly range: string;
  readonly replacement: string;
}

const silent = () => {};
const never = () => false;
const logger = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

async function mutantsOf(path: string): Promise<DrawnMutant[]> {
  const file = { name: path, content: readFileSync(path, 'utf8'), mutate: true };
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { mutants } = await new Instrumenter(logger).instrument([file], options);
  return mutants.flatMap(({ location: { start, end }, replacement }) => {
    // The instrumenter counts lines from 0, and the range from 1.
    const range = `${path}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
    return replacement === undefined ? [] : [{ range, replacement }];
  });
}

/** A folder of `src/`. */
function roomOf(path: string): string {
  return /^src\/(?:\w+(?=\/))?/.exec(path)?.[0] ?? '';
}

/** Returns all items, in the order of a seed. */
export function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const { length } = items;
  return fc
    .sample(fc.shuffledSubarray([...items], { minLength: length, maxLength: length }), { numRuns: 1, seed })
    .flat();
}

/** Draws from each room in turn, a mutant of each of its files. */
export async function* drawMutants(seed: number): AsyncGenerator<DrawnMutant> {
  const paths = globSync('src/**/*.{ts,tsx}').map((path) => path.replaceAll('\\', '/'));
  const rooms = [...Map.groupBy(paths.toSorted(), roomOf).values()].map((files) => shuffled(files, seed));
  const longest = Math.max(...rooms.map((files) => files.length));
  for (let turn = 0; turn < longest; turn += 1) {
    for (const path of rooms.flatMap((files) => files[turn] ?? [])) {
      const [mutant] = shuffled(await mutantsOf(path), seed);
      if (mutant !== undefined) yield mutant;
    }
  }
}
