/** The table of planted defects in the guide has every defect of the simulation, in its order. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { planted } from '../simulation/planted.ts';

const guide = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');

it('names every planted defect with the operations that find it', () => {
  const [, table = ''] = guide.split('| planted defect | operations |');
  const rows = table
    .split('\n\n', 1)
    .join('')
    .matchAll(/^\| (.+?) +\| ([\d,]+) \|$/gm);
  const found = [...rows].map(([, name, operations = '']) => ({
    name,
    isFound: Number(operations.replaceAll(',', '')) <= 100_000,
  }));
  expect(found).toEqual(planted.map(({ name }) => ({ name, isFound: true })));
});
