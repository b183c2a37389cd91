/** The metrics of deliveries: duration, attempt, delay and drift, with bounds that an alarm can use. */

import { DataPointType } from '@opentelemetry/sdk-metrics';
import { memoryStore } from 'payments-client/stores';
import { expect, it, vi } from 'vitest';
import { delivery, envelope, eventOf, now, webhooksAt } from '../support/deliveries.ts';
import { startTelemetry } from '../support/telemetry.ts';

const failed = eventOf('refund.failed');
const subject = {
  'messaging.destination.name': 'billing',
  'payments.webhook.event_type': 'refund.failed',
};

/** A receiver that fails on the first attempt. */
function start(work = () => {}) {
  const { instrument, metrics, scopes } = startTelemetry();
  const receiver = webhooksAt({ instrument }).receiver({
    store: memoryStore(),
    consumer: 'billing',
    onEvent: (_event, { attempt }) => {
      work();
      if (attempt === 1) throw new Error('not at first');
    },
    onError: () => {},
  });
  const metric = async (name: string) => (await metrics()).find(({ descriptor }) => descriptor.name === name);
  return {
    scopes,
    metric,
    deliver: async (event: object) => receiver.handle(await delivery(event)),
    histogram: async (name: string) => {
      const found = await metric(name);
      if (found?.dataPointType !== DataPointType.HISTOGRAM) throw new Error(`${name} is no histogram`);
      return found.dataPoints.map(({ attributes, value }) => ({
        unit: found.descriptor.unit,
        attributes,
        sum: value.sum,
        boundaries: value.buckets.boundaries,
      }));
    },
  };
}

it('measures durations beyond the lease, and names the version of the conventions', async () => {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const { deliver, histogram, scopes } = start(() => {
    time += 45_000;
  });
  await deliver(failed);
  const [scope] = await scopes();
  expect(scope?.scope.schemaUrl).toBe('https://opentelemetry.io/schemas/1.45.0');
  expect(await histogram('messaging.process.duration')).toEqual([
    {
      unit: 's',
      attributes: expect.objectContaining({ 'payments.webhook.outcome': 'failed', 'error.type': 'Error' }),
      sum: 45,
      boundaries: [
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120, 300,
      ],
    },
  ]);
});

it.each<[what: string, age: number, seconds: number]>([
  ['of yesterday', 86_400, 86_400],
  ['of a clock that is ahead', -5, 0],
])('measures once the delay of an event %s', async (_what, age, seconds) => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const { deliver, histogram } = start();
  const event = { ...failed, created: new Date(now - age * 1000).toISOString() };
  for (const outcome of ['failed', 'handled', 'duplicate'])
    expect(await deliver(event)).toMatchObject({ outcome });
  expect(await histogram('payments.webhook.delay')).toEqual([
    {
      unit: 's',
      attributes: subject,
      sum: seconds,
      boundaries: [1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200, 604_800],
    },
  ]);
});

it('measures no delay of an event without a time', async () => {
  const { deliver, metric } = start();
  for (const created of [undefined, 1, '1', '2026', 'T', '2026-99-99T00:00:00Z']) {
    const event = envelope('a.b', {}, { id: `evt_of_${typeof created}_${created}`, created });
    for (const outcome of ['failed', 'handled']) expect(await deliver(event)).toMatchObject({ outcome });
  }
  expect(await metric('payments.webhook.delay')).toBeUndefined();
});

it('measures attempts, and counts events that differ from the interface', async () => {
  const { deliver, histogram, metric } = start();
  for (const _attempt of [1, 2]) await deliver({ ...failed, api_version: 7 });
  expect(await histogram('payments.webhook.attempt')).toEqual([
    { unit: '{attempt}', attributes: subject, sum: 3, boundaries: [1, 2, 3, 5, 10, 20] },
  ]);
  const drift = await metric('payments.webhook.drift');
  expect(drift?.dataPoints.map(({ attributes, value }) => ({ attributes, value }))).toEqual([
    { attributes: subject, value: 2 },
  ]);
});
