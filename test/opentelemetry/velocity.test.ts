/** `countVerdict` counts each velocity check by its decision and the first rule that it exceeds, and no data of the buyer. */

import { VelocityGuard } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { startTelemetry } from '../support/telemetry.ts';

it('counts verdicts by decision and rule', async () => {
  const { countVerdict, metrics } = startTelemetry();
  const guard = new VelocityGuard({
    secret: 'a secret of 16 bytes or more',
    store: memoryStore(),
    rules: [
      { name: 'held', per: 'ip', counts: 'attempts', limit: 1, windowMs: 60_000, action: 'review' },
      { name: 'stopped', per: 'ip', counts: 'attempts', limit: 2, windowMs: 60_000, action: 'block' },
    ],
  });
  for (const _attempt of [1, 2, 3, 4]) countVerdict(await guard.check({ ip: '192.0.2.7' }));
  const [metric, ...others] = await metrics();
  expect(others).toEqual([]);
  expect(metric?.descriptor).toMatchObject({ name: 'payments.velocity.checks', unit: '{check}' });
  const decision = 'payments.velocity.decision';
  const rule = 'payments.velocity.rule';
  expect(metric?.dataPoints.map(({ attributes, value }) => [attributes, value])).toEqual([
    [{ [decision]: 'allow' }, 1],
    [{ [decision]: 'review', [rule]: 'held' }, 1],
    [{ [decision]: 'block', [rule]: 'stopped' }, 2],
  ]);
});
