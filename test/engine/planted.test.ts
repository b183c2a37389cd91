/** Each planted defect is found, and breaks the promise that its row names. */

import { expect, test } from 'vitest';
import { size } from '../support/size.ts';
import { runCampaign } from './campaign.ts';
import { planted } from './planted.ts';

/** `npm test` plants one defect for each promise: the one that is found soonest. */
const firsts = planted.filter(
  ({ breaks }, index) => planted.findIndex((other) => other.breaks === breaks) === index,
);

test.each(size === 'short' ? firsts : planted)(
  '$name: breaks "$breaks"',
  { timeout: 600_000 },
  async (system) => {
    const { failure } = await runCampaign({
      system,
      seed: system.seed ?? 0,
      operations: 100_000,
      shrinks: false,
    });
    expect(failure?.promise, failure?.why).toBe(system.breaks);
  },
);
