import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What is wrong with a page or a frame for those who cannot see or point, in short. Empty when all is well. */
export async function violationsOf(place: Page | Frame): Promise<string[]> {
  // Evaluated, since the policy forbids a script element. The declaration would not be global in an evaluation.
  await place.evaluate(`${source}; void 0`);
  return await place.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
}
