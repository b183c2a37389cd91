/** The guide's table lists every planted defect of the simulation, in its order. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { planted } from '../simulation/planted.ts';

const guide = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');

it('lists every planted defect with the operations until it is found', () => {
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
