/** Each planted defect is found, and breaks the promise that it is planted for. */

import { expect, test } from 'vitest';
import { size } from '../support/size.ts';
import { runCampaign } from './campaign.ts';
import { planted } from './planted.ts';
import { promises } from './promises.ts';

test.each(planted.filter(({ isFirst }) => isFirst || size !== 'short'))(
  '$name: breaks "$breaks"',
  async (system) => {
    const { seed = 0, breaks } = system;
    const { failure } = await runCampaign({ system, seed, operations: 100_000, shrinks: false });
    expect(failure?.promise, failure?.why).toBe(breaks);
  },
);

test('each promise falls by a planted defect', () => {
  expect(new Set(planted.map(({ breaks }) => breaks))).toEqual(new Set(promises.map(([name]) => name)));
});
