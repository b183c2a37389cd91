import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page or a frame of any browser. */
interface Place {
  evaluate(script: string): Promise<unknown>;
}

/** Returns the accessibility violations of a page or a frame, in short; empty if there are none. */
export async function violationsOf(place: Place): Promise<string[]> {
  // Evaluated, since the policy forbids a script element. The declaration would not be global in an evaluation.
  await place.evaluate(`${source}; void 0`);
  const found = await place.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
  if (!Array.isArray(found)) throw new Error('expected axe to give a list');
  return found.map(String);
}
