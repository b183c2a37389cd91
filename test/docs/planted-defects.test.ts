/** The guide counts the planted defects of the engine. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { planted } from '../engine/planted.ts';

const guide = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');

it('says how many defects are planted', () => {
  expect(guide).toContain(`finds each of ${planted.length} planted defects`);
});
