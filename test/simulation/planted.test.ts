import { describe, expect, test } from 'vitest';
import { thorough } from '../support/size.ts';
import { runCampaign } from './campaign.ts';
import { planted } from './planted.ts';
import type { System } from './system.ts';

describe('a planted defect is found', () => {
  test.each(planted.filter(({ isRare }) => !isRare))('$name', isFound);
  test.each(planted.filter(({ isRare }) => isRare))('$name', thorough, isFound);
});

async function isFound(system: System) {
  const { failure } = await runCampaign({ system, seed: 0, operations: 100_000 });
  expect(failure?.violation).toBeDefined();
  // Short enough to read.
  expect(failure?.schedule.length).toBeLessThan(80);
}
