/** Writes what the tests cost and found into the pages that say so. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { planted } from '../../test/engine/planted.ts';
import { promises } from '../../test/engine/promises.ts';
import { allDefects } from '../../test/planted/defect.ts';
import { tierLimit } from '../../test/support/budget/limits.ts';
import { tableOf, withParts } from './page-parts.ts';

/** What `test/figures.json` has: the last long runs, by hand. */
interface Figures {
  readonly date: string;
  readonly rows: readonly (readonly [what: string, howOften: string, figure: string])[];
}

/** Returns the page with the figures of the last long runs. */
export function writeReliabilityPage(): string {
  const { date, rows }: Figures = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../test/figures.json'), 'utf8'),
  );
  return withParts('docs/reliability.md', {
    figures: tableOf(['what runs', 'how often', `measured on ${date}`], rows),
    engine: `The engine judges ${promises.length} promises over time, and ${planted.length} defects planted in it show that each of them can fall.
The product has ${allDefects().length} planted defects.`,
  });
}

/** Returns the README with the bound on the processor time of `npm test`, which CI enforces. */
export function writeReadme(): string {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const bound = /(npm test #) .*?:/;
  if (!bound.test(readme)) throw new Error('Expected a line with `npm test #` in README.md, got none.');
  return readme.replace(bound, `$1 at most ${tierLimit} s of processor time:`);
}
