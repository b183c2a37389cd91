/** Random histories of shops, in which everything fails that can, keep the promise of orders: `world/`. */

import { expect, it } from 'vitest';
import { bySize } from '../support/size.ts';
import { describeHistory, runCampaign } from './world/campaign.ts';

it.each(['memory', 'sqlite'] as const)('survives histories with a store in %s', async (store) => {
  const { violated, kills, edits, shipped, faults } = await runCampaign({
    store,
    from: 1,
    seeds: bySize({ short: 5, all: 30 }),
  });
  expect(violated.map(describeHistory).join('\n')).toBe('');
  // What never happened was not tested.
  expect(Math.min(kills, edits, shipped, faults.size)).toBeGreaterThan(5);
});
