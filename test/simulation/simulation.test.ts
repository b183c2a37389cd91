import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { describeFailure } from './report.ts';
import { asItIs } from './system.ts';

test('keeps every promise through 10,000 operations in which everything may fail', async () => {
  const { operations, faults, failure } = await runCampaign({ system: asItIs, seed: 0, operations: 10_000 });
  expect(failure && describeFailure(failure)).toBeUndefined();
  expect(operations).toBe(10_000);
  expect(faults).toBeGreaterThan(1_000);
});
