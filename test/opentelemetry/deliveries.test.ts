/** Each delivery to a webhook receiver is a consumer span and a point of each metric, by what came of it. */

import { createServer } from 'node:http';
import { context, metrics, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { PaymentsClient } from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { memoryStore } from 'payments-client/stores';
import type { DeliveryReport, Receiver, ReceiverOptions, WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { delivery, envelope, eventOf, now, otherSecret, secret, webhooksAt } from '../support/deliveries.ts';
import { refund } from '../support/fixtures.ts';
import { followContexts, startTelemetry } from '../support/telemetry.ts';
import { listen } from '../webhooks/receiver/running.ts';

type Deliver = (signedBody: Awaited<ReturnType<typeof delivery>>) => Promise<unknown>;
type Telemetry = Pick<ReturnType<typeof startTelemetry>, 'metrics'>;

const failed = eventOf('refund.failed');
const card = '4111111111111111';

/** A receiver that fails on the first attempt at a refund that failed. */
function start(options: Partial<ReceiverOptions> = {}, instrument?: WebhooksOptions['instrument']) {
  const telemetry = startTelemetry();
  const webhooks = webhooksAt({
    secrets: { platform: secret },
    maxBodyBytes: 100_000,
    instrument: instrument ?? telemetry.instrument,
  });
  const receiver = webhooks.receiver({
    store: memoryStore(),
    consumer: 'billing',
    on: {
      'refund.failed': (_event, { attempt }) => {
        if (attempt === 1) throw Object.assign(new Error(`card ${card}`), { code: 'ECONNREFUSED' });
      },
    },
    onError: () => {},
    ...options,
  });
  const deliver = async (event: object) => receiver.handle(await delivery(event));
  return { ...telemetry, receiver, deliver };
}

/** Returns the points of a metric; of a histogram with its unit and bounds. */
async function pointsOf({ metrics: read }: Telemetry, name: string) {
  const metric = (await read()).find(({ descriptor }) => descriptor.name === name);
  if (metric === undefined) return [];
  if (metric.dataPointType !== DataPointType.HISTOGRAM) {
    return metric.dataPoints.map(({ attributes, value }) => ({ attributes, count: Number(value) }));
  }
  return metric.dataPoints.map(({ attributes, value: { count, sum, buckets } }) => {
    return { attributes, count, sum, unit: metric.descriptor.unit, boundaries: buckets.boundaries };
  });
}

/** Returns how many points of a metric have these attributes. */
const countsOf = async (telemetry: Telemetry, name: string) =>
  (await pointsOf(telemetry, name)).map(({ attributes, count }) => [attributes, count]);

const consumer = { 'messaging.destination.name': 'billing' };
const message = {
  'messaging.system.name': 'payments-client',
  'messaging.operation.name': 'process',
  ...consumer,
};
/** Attributes of the package, by their names. */
const ours = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`payments.webhook.${name}`, value]));
const subject = { ...consumer, ...ours({ event_type: 'refund.failed' }) };

const entries: Readonly<Record<string, (receiver: Receiver) => Promise<Deliver>>> = {
  'node:http': async (receiver) => {
    const url = await listen(createServer(receiver.node));
    return ({ body, headers }) => fetch(url, { method: 'POST', body, headers });
  },
  fetch: async (receiver) => (sent) =>
    receiver.fetch(new Request('http://shop.test/', { method: 'POST', ...sent })),
};

it.each(Object.entries(entries))(
  'records one span and one point for each delivery by %s',
  async (_name, mount) => {
    const { receiver, spans, ...telemetry } = start();
    const deliver = await mount(receiver);
    for (const event of [failed, failed, failed, envelope('a.b', {}), 'text'])
      await deliver(await delivery(event));
    await deliver(await delivery(failed, webhooksAt({ secret: otherSecret })));
    await deliver({ ...(await delivery(failed)), body: 'x'.repeat(100_001) });

    const unreachable = { 'error.type': 'ECONNREFUSED' };
    const invalid = { 'error.type': 'WEBHOOK_INVALID_PAYLOAD' };
    const verified = { source: 'request', verified: true, scope: 'platform' };
    const refused = { outcome: 'refused', source: 'request', verified: false };
    const id = { 'messaging.message.id': 'evt_1' };
    const object = { ...id, 'payments.object_id': 'rf_1' };
    const ofType = { ...verified, event_type: 'refund.failed' };
    const expected = [
      { ...ours({ outcome: 'failed', ...ofType, attempt: 1 }), ...object, ...unreachable },
      { ...ours({ outcome: 'handled', ...ofType, attempt: 2 }), ...object },
      { ...ours({ outcome: 'duplicate', ...ofType }), ...object },
      // No handler wants it, so it has no attempt.
      { ...ours({ outcome: 'handled', ...verified, event_type: 'a.b' }), ...id },
      { ...ours({ outcome: 'failed', ...verified, attempt: 1 }), ...invalid },
      ours({ ...refused, reason: 'no_match' }),
      ours({ ...refused, reason: 'invalid_payload' }),
    ];
    const operation = { ...message, 'messaging.operation.type': 'process' };
    expect(spans().map(({ attributes }) => attributes)).toEqual(
      expected.map((each) => ({ ...operation, ...each })),
    );
    const { ERROR, UNSET } = SpanStatusCode;
    const codes = [ERROR, UNSET, UNSET, UNSET, ERROR, UNSET, UNSET];
    expect(spans().map(({ name, kind, status }) => ({ name, kind, status }))).toEqual(
      codes.map((code) => ({ name: 'process billing', kind: SpanKind.CONSUMER, status: { code } })),
    );

    const points = [
      [{ ...message, ...ours({ outcome: 'failed', event_type: 'refund.failed' }), ...unreachable }, 1],
      [{ ...message, ...ours({ outcome: 'handled', event_type: 'refund.failed' }) }, 1],
      [{ ...message, ...ours({ outcome: 'duplicate', event_type: 'refund.failed' }) }, 1],
      [{ ...message, ...ours({ outcome: 'handled', event_type: 'a.b' }) }, 1],
      [{ ...message, ...ours({ outcome: 'failed' }), ...invalid }, 1],
    ];
    const refusals = ['no_match', 'invalid_payload'].map((reason) => [
      { ...message, ...ours({ outcome: 'refused', reason }) },
      1,
    ]);
    expect(await countsOf(telemetry, 'messaging.process.duration')).toEqual([...points, ...refusals]);
    expect(await countsOf(telemetry, 'messaging.client.consumed.messages')).toEqual(points);
    const other = { ...consumer, ...ours({ event_type: 'a.b' }) };
    expect(await countsOf(telemetry, 'payments.webhook.attempt')).toEqual([
      [subject, 2],
      [consumer, 1],
    ]);
    expect(await countsOf(telemetry, 'payments.webhook.delay')).toEqual([
      [subject, 1],
      [other, 1],
    ]);
    expect(await countsOf(telemetry, 'payments.webhook.drift')).toEqual([]);
  },
);

describe('a span of a delivery', () => {
  const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
  const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;

  it('is below the active span, and above the calls of the handler', async () => {
    followContexts();
    const client = startTelemetry();
    const payments = new PaymentsClient({
      baseUrl: 'https://payments.test',
      secretKey: 'sk_v1_test_deliveries',
      hooks: client.hooks,
      fetch: async () => Response.json(refund),
    });
    const { deliver, spans, tracer } = start({
      on: { 'refund.failed': () => payments.refunds.retrieve('rf_1') },
    });
    await tracer.startActiveSpan('POST /webhooks', async (server: Span) => {
      await deliver(failed);
      server.end();
    });
    const [processed, server] = spans();
    expect(server?.name).toBe('POST /webhooks');
    expect(parentOf(processed)).toBe(idOf(server));
    const call = client.spans().find(({ name }) => name === 'payments refunds.retrieve');
    expect(parentOf(call)).toBe(idOf(processed));
    expect(trace.getSpan(context.active())).toBeUndefined();
  });

  it('is recorded of an event in progress too', async () => {
    const { deliver, spans } = start({ on: { 'refund.failed': () => deliver(failed) } });
    await deliver(failed);
    const outcomes = spans().map(({ attributes }) => attributes['payments.webhook.outcome']);
    expect(outcomes).toEqual(['in_progress', 'handled']);
  });

  /** The report of a delivery, for outcomes that a single one does not have. */
  const handled: DeliveryReport = {
    outcome: 'handled',
    source: 'request',
    status: 200,
    duration: 20,
    consumer: 'billing',
    verified: true,
    reason: undefined,
    error: undefined,
    scope: undefined,
    eventId: 'evt_1',
    type: 'refund.failed',
    objectId: 'rf_1',
    created: undefined,
    attempt: 1,
    issues: [],
  };
  const strange = Object.assign(new Error('x'), { name: `for ${card}` });

  it.each<
    [what: string, fields: Partial<DeliveryReport>, error: string | undefined, type: string | undefined]
  >([
    ['dispatched, so its type is not proved', { source: 'dispatch', verified: false }, undefined, undefined],
    [
      'failed by a value that is not an Error',
      { outcome: 'failed', error: 'text' },
      '_OTHER',
      'refund.failed',
    ],
    [
      'failed by an error with a strange name',
      { outcome: 'failed', error: strange },
      '_OTHER',
      'refund.failed',
    ],
    ['refused with an error', { outcome: 'refused', error: strange }, undefined, 'refund.failed'],
    ['of an event with a card as its id', { eventId: card }, undefined, 'refund.failed'],
    ['of an event with a card as its type', { type: card }, undefined, undefined],
    ['of an object with a card as its id', { objectId: card }, undefined, 'refund.failed'],
  ])('and its metrics are safe if it was %s', async (_what, fields, error, type) => {
    const { instrument, spans, metrics: read } = startTelemetry();
    await instrument(async () => ({ ...handled, ...fields }), 'billing');
    const [span, ...others] = spans();
    expect(others).toEqual([]);
    expect(span?.attributes['error.type']).toBe(error);
    expect(span?.status.code).toBe(error === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR);
    expect(JSON.stringify(span?.attributes)).not.toContain('4111');
    const [point] = await pointsOf({ metrics: read }, 'messaging.process.duration');
    expect(point).toMatchObject({ count: 1, sum: 0.02 });
    expect(point?.attributes['payments.webhook.event_type']).toBe(type);
    const consumed = await pointsOf({ metrics: read }, 'messaging.client.consumed.messages');
    expect(consumed).toHaveLength(fields.outcome === 'refused' ? 0 : 1);
  });

  it('ends if the delivery throws, and no metric counts it', async () => {
    const { instrument, spans, metrics: read } = startTelemetry();
    const broken = instrument(() => Promise.reject(new Error('broken')), 'billing');
    await expect(broken).rejects.toThrow('broken');
    expect(spans()).toHaveLength(1);
    expect(await read()).toEqual([]);
  });
});

describe('the metrics of deliveries', () => {
  it('measure durations beyond the lease, and name the version of the conventions', async () => {
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => time);
    const { deliver, scopes, ...telemetry } = start({ on: { 'refund.failed': () => void (time += 45_000) } });
    await deliver(failed);
    const [scope] = await scopes();
    expect(scope?.scope.schemaUrl).toBe('https://opentelemetry.io/schemas/1.45.0');
    expect(await pointsOf(telemetry, 'messaging.process.duration')).toMatchObject([
      {
        unit: 's',
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
  ])('measure once the delay of an event %s', async (_what, age, seconds) => {
    vi.spyOn(Date, 'now').mockReturnValue(now);
    const { deliver, ...telemetry } = start();
    const event = { ...failed, created: new Date(now - age * 1000).toISOString() };
    for (const outcome of ['failed', 'handled', 'duplicate'])
      expect(await deliver(event)).toMatchObject({ outcome });
    expect(await pointsOf(telemetry, 'payments.webhook.delay')).toEqual([
      {
        unit: 's',
        count: 1,
        attributes: subject,
        sum: seconds,
        boundaries: [1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200, 604_800],
      },
    ]);
  });

  it('measure no delay of an event without a time', async () => {
    const { deliver, ...telemetry } = start();
    for (const created of [undefined, 1, '1', '2026', 'T', '2026-99-99T00:00:00Z']) {
      const event = envelope('a.b', {}, { id: `evt_of_${typeof created}_${created}`, created });
      expect(await deliver(event)).toMatchObject({ outcome: 'handled' });
    }
    expect(await pointsOf(telemetry, 'payments.webhook.delay')).toEqual([]);
  });

  it('measure attempts, and count events that differ from the interface', async () => {
    const { deliver, ...telemetry } = start();
    for (const _attempt of [1, 2]) await deliver({ ...failed, api_version: 7 });
    const attempts = { unit: '{attempt}', attributes: subject, sum: 3, boundaries: [1, 2, 3, 5, 10, 20] };
    expect(await pointsOf(telemetry, 'payments.webhook.attempt')).toEqual([{ ...attempts, count: 2 }]);
    expect(await countsOf(telemetry, 'payments.webhook.drift')).toEqual([[subject, 2]]);
  });

  it('have no id and no scope, whose values would be too many', async () => {
    const { deliver, metrics: read } = start();
    await deliver(failed);
    const points = JSON.stringify(await read());
    expect(points).toContain('refund.failed');
    expect(points).not.toMatch(/evt_|platform/);
  });
});

it('the global providers are the default', async () => {
  const { deliver } = start({}, openTelemetry().instrument);
  const telemetry = startTelemetry();
  trace.setGlobalTracerProvider(telemetry.options.tracerProvider);
  metrics.setGlobalMeterProvider(telemetry.options.meterProvider);
  onTestFinished(() => {
    trace.disable();
    metrics.disable();
  });
  await deliver(failed);
  expect(telemetry.spans()).toHaveLength(1);
  expect(await telemetry.metrics()).toHaveLength(3);
});
