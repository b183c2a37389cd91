/**
 * The defects that are planted in the system are found.
 *
 * @module-tag thorough
 */

import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { planted } from './planted.ts';

test.each(planted)('finds the planted defect: $name', async (system) => {
  const { failure } = await runCampaign({ system, seed: 0, operations: 100_000 });
  expect(failure?.violation).toBeDefined();
  // Short enough to read.
  expect(failure?.schedule.length).toBeLessThan(90);
});
