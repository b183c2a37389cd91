/** Each delivery to a webhook receiver is a consumer span and a point of each metric, with any framework and outcome. */

import { createServer } from 'node:http';
import { context, metrics, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { PaymentsClient } from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { memoryStore } from 'payments-client/stores';
import type { DeliveryReport, Receiver, ReceiverOptions, WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { delivery, envelope, eventOf, otherSecret, secret, webhooksAt } from '../support/deliveries.ts';
import { mountIn } from '../support/fastify.ts';
import { refund } from '../support/fixtures.ts';
import { followContexts, startTelemetry } from '../support/telemetry.ts';
import { listen, urlOf } from '../webhooks/receiver/running.ts';

type Delivered = Awaited<ReturnType<typeof delivery>>;
type Deliver = (signedBody: Delivered) => Promise<unknown>;

const failed = eventOf('refund.failed');
const card = '4111111111111111';

function start(options: Partial<ReceiverOptions> = {}, instrument?: WebhooksOptions['instrument']) {
  const telemetry = startTelemetry();
  const reports: DeliveryReport[] = [];
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
    onDelivery: (report) => reports.push(report),
    ...options,
  });
  return { ...telemetry, receiver, reports };
}

/** Returns a report, for outcomes that a single delivery does not have. */
function reportOf(fields: Partial<DeliveryReport>): DeliveryReport {
  return {
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
    created: undefined,
    attempt: 1,
    issues: [],
    ...fields,
  };
}

function postTo(url: string): Deliver {
  return ({ body, headers }) => fetch(url, { method: 'POST', body, headers });
}

const frameworks: Readonly<Record<string, (receiver: Receiver) => Promise<Deliver>>> = {
  'node:http': async (receiver) => postTo(await listen(createServer(receiver.node))),
  Express: async (receiver) => postTo(await listen(createServer(express().post('/', receiver.node)))),
  Fastify: async (receiver) => {
    const app = Fastify();
    await mountIn(app, '/', receiver);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return postTo(urlOf(app.server));
  },
  Hono: async (receiver) => {
    const app = new Hono().post('/', ({ req }) => receiver.fetch(req.raw));
    return async ({ body, headers }) => app.request('/', { method: 'POST', body, headers });
  },
  fetch: async (receiver) => (sent) =>
    receiver.fetch(new Request('http://shop.test/', { method: 'POST', ...sent })),
};

const message = {
  'messaging.system.name': 'payments-client',
  'messaging.operation.name': 'process',
  'messaging.destination.name': 'billing',
};
const ours = (outcome: string, more: object = {}) => ({ 'payments.webhook.outcome': outcome, ...more });
const ofType = { 'payments.webhook.event_type': 'refund.failed' };
const subject = { 'messaging.destination.name': 'billing', ...ofType };

async function pointsOf(telemetry: Pick<ReturnType<typeof startTelemetry>, 'metrics'>, name: string) {
  const metric = (await telemetry.metrics()).find(({ descriptor }) => descriptor.name === name);
  if (metric === undefined) return [];
  return metric.dataPointType === DataPointType.HISTOGRAM
    ? metric.dataPoints.map(({ attributes, value }) => ({ attributes, count: value.count }))
    : metric.dataPoints.map(({ attributes, value }) => ({ attributes, count: Number(value) }));
}

describe.each(Object.entries(frameworks))('on %s', (_name, mount) => {
  it('records one span and one point for each delivery', async () => {
    const { receiver, spans, reports, ...telemetry } = start();
    const deliver = await mount(receiver);
    for (const event of [failed, failed, failed, envelope('a.b', {}), 'text'])
      await deliver(await delivery(event));
    await deliver(await delivery(failed, webhooksAt({ secret: otherSecret })));
    await deliver({ ...(await delivery(failed)), body: 'x'.repeat(100_001) });
    const error = { 'error.type': 'ECONNREFUSED' };
    const verified = { 'payments.webhook.source': 'request', 'payments.webhook.verified': true };
    const known = { 'messaging.message.id': 'evt_1', 'payments.webhook.scope': 'platform', ...verified };
    const refusal = { 'payments.webhook.source': 'request', 'payments.webhook.verified': false };
    const attempt = (number: number) => ({ 'payments.webhook.attempt': number });
    const operation = { ...message, 'messaging.operation.type': 'process' };
    expect(spans().map(({ attributes }) => attributes)).toEqual([
      { ...operation, ...ours('failed', { ...known, ...ofType, ...attempt(1), ...error }) },
      { ...operation, ...ours('handled', { ...known, ...ofType, ...attempt(2) }) },
      { ...operation, ...ours('duplicate', { ...known, ...ofType }) },
      { ...operation, ...ours('handled', { ...known, 'payments.webhook.event_type': 'a.b' }) },
      {
        ...operation,
        ...ours('failed', {
          ...verified,
          ...attempt(1),
          'payments.webhook.scope': 'platform',
          'error.type': 'WEBHOOK_INVALID_PAYLOAD',
        }),
      },
      { ...operation, ...ours('refused', { ...refusal, 'payments.webhook.reason': 'no_match' }) },
      { ...operation, ...ours('refused', { ...refusal, 'payments.webhook.reason': 'invalid_payload' }) },
    ]);
    for (const { name, kind } of spans())
      expect({ name, kind }).toEqual({ name: 'process billing', kind: SpanKind.CONSUMER });
    const { ERROR, UNSET } = SpanStatusCode;
    expect(spans().map(({ status }) => status)).toEqual(
      [ERROR, UNSET, UNSET, UNSET, ERROR, UNSET, UNSET].map((code) => ({ code })),
    );
    const points = [
      { attributes: { ...message, ...ours('failed', { ...ofType, ...error }) }, count: 1 },
      { attributes: { ...message, ...ours('handled', ofType) }, count: 1 },
      { attributes: { ...message, ...ours('duplicate', ofType) }, count: 1 },
      { attributes: { ...message, ...ours('handled', { 'payments.webhook.event_type': 'a.b' }) }, count: 1 },
      {
        attributes: { ...message, ...ours('failed', { 'error.type': 'WEBHOOK_INVALID_PAYLOAD' }) },
        count: 1,
      },
    ];
    expect(await pointsOf(telemetry, 'messaging.process.duration')).toEqual([
      ...points,
      ...['no_match', 'invalid_payload'].map((reason) => ({
        attributes: { ...message, ...ours('refused', { 'payments.webhook.reason': reason }) },
        count: 1,
      })),
    ]);
    expect(await pointsOf(telemetry, 'messaging.client.consumed.messages')).toEqual(points);
    const consumer = { 'messaging.destination.name': 'billing' };
    expect(await pointsOf(telemetry, 'payments.webhook.attempt')).toEqual([
      { attributes: subject, count: 2 },
      { attributes: consumer, count: 1 },
    ]);
    expect(await pointsOf(telemetry, 'payments.webhook.delay')).toEqual([
      { attributes: subject, count: 1 },
      { attributes: { ...consumer, 'payments.webhook.event_type': 'a.b' }, count: 1 },
    ]);
    expect(await pointsOf(telemetry, 'payments.webhook.drift')).toEqual([]);
    expect(reports).toHaveLength(7);
  });
});

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
  const { receiver, spans, tracer } = start({
    on: { 'refund.failed': () => payments.refunds.retrieve('rf_1') },
  });
  await tracer.startActiveSpan('POST /webhooks', async (server: Span) => {
    await receiver.handle(await delivery(failed));
    server.end();
  });
  const [processed, server] = spans();
  expect(server?.name).toBe('POST /webhooks');
  expect(parentOf(processed)).toBe(idOf(server));
  const call = client.spans().find(({ name }) => name === 'payments refunds.retrieve');
  expect(parentOf(call)).toBe(idOf(processed));
  expect(trace.getSpan(context.active())).toBeUndefined();
});

it('records a span for a delivery of an event in progress', async () => {
  const { receiver, spans } = start({
    on: { 'refund.failed': async () => void (await receiver.handle(await delivery(failed))) },
  });
  await receiver.handle(await delivery(failed));
  expect(spans().map(({ attributes }) => attributes['payments.webhook.outcome'])).toEqual([
    'in_progress',
    'handled',
  ]);
});

it.each<[what: string, fields: Partial<DeliveryReport>, type: string | undefined, consumed: number]>([
  ['dispatched, and handled', { source: 'dispatch', verified: false }, undefined, 1],
  ['failed by a value that is not an Error', { outcome: 'failed', error: 'text' }, '_OTHER', 1],
  [
    'failed by an error with a strange name',
    { outcome: 'failed', error: Object.assign(new Error('x'), { name: `for ${card}` }) },
    '_OTHER',
    1,
  ],
])('records a delivery that was %s', async (_what, fields, type, consumed) => {
  const { instrument, spans, ...telemetry } = startTelemetry();
  await instrument(async () => reportOf(fields), 'billing');
  const [span, ...others] = spans();
  expect(others).toEqual([]);
  expect(span?.attributes['error.type']).toBe(type);
  expect(span?.status.code).toBe(type === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR);
  const [point] = await pointsOf(telemetry, 'messaging.process.duration');
  expect(point).toMatchObject({ count: 1 });
  expect(point?.attributes['payments.webhook.event_type']).toBe(
    fields.verified === false ? undefined : 'refund.failed',
  );
  expect(await pointsOf(telemetry, 'messaging.client.consumed.messages')).toHaveLength(consumed);
});

it('has no id and no scope in a metric, whose attributes would be too many', async () => {
  const { receiver, metrics: read } = start();
  await receiver.handle(await delivery(failed));
  const points = JSON.stringify(await read());
  expect(points).toContain('refund.failed');
  expect(points).not.toMatch(/evt_|platform/);
});

it('uses the global providers by default', async () => {
  const { receiver } = start({}, openTelemetry().instrument);
  const telemetry = startTelemetry();
  trace.setGlobalTracerProvider(telemetry.options.tracerProvider);
  metrics.setGlobalMeterProvider(telemetry.options.meterProvider);
  onTestFinished(() => {
    trace.disable();
    metrics.disable();
  });
  await receiver.handle(await delivery(failed));
  expect(telemetry.spans()).toHaveLength(1);
  expect((await telemetry.metrics()).map(({ descriptor }) => descriptor.name)).toEqual([
    'messaging.process.duration',
    'messaging.client.consumed.messages',
    'payments.webhook.attempt',
  ]);
});
