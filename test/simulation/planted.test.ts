import { describe, expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { planted } from './planted.ts';

describe('a planted defect is found', () => {
  test.each(planted)('$name', async (system) => {
    const { failure } = await runCampaign({ system, seed: 0, operations: 100_000 });
    expect(failure?.violation).toBeDefined();
    // Short enough to read.
    expect(failure?.schedule.length).toBeLessThan(60);
  });
});
