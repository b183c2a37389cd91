/** The metrics of calls: the duration of each attempt and of each call, and how each ended, with low-cardinality attributes. */

import { metrics, trace } from '@opentelemetry/api';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import { type PaymentsClient, PaymentsError } from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { everyMethod } from '../support/every-method.ts';
import { failureOf } from '../support/failure.ts';
import { refund, refundParams, saleParams } from '../support/fixtures.ts';
import { by, startClient } from './client.ts';

type Metrics = Awaited<ReturnType<ReturnType<typeof startClient>['metrics']>>;

/** The attributes and the values of the counter. */
function countsIn(metrics: Metrics) {
  const counter = metrics.find(({ descriptor }) => descriptor.name === 'payments.calls');
  return counter?.dataPoints.map(({ attributes, value }) => [attributes, value]);
}

describe('the metrics of calls', () => {
  it('measure each attempt in seconds, with the conventional bounds and one point for each outcome', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const telemetry = startClient([], {
      maxRetries: 1,
      fetch: async () => {
        now += 200;
        return Response.json(refund, { status: now % 400 === 200 ? 503 : 200 });
      },
    });
    for (const operationId of ['a', 'b', 'c'])
      await telemetry.payments.refunds.create(refundParams, { operationId });
    const [metric, ...others] = (await telemetry.metrics()).filter(({ descriptor }) =>
      descriptor.name.startsWith('http'),
    );
    expect(others).toEqual([]);
    expect(metric?.descriptor).toMatchObject({ name: 'http.client.request.duration', unit: 's' });
    if (metric?.dataPointType !== DataPointType.HISTOGRAM) throw new Error('it is no histogram');
    const request = {
      'http.request.method': 'POST',
      'server.address': 'payments.test',
      'server.port': 443,
      'url.template': '/v1/refunds',
    };
    expect(metric.dataPoints.map(({ attributes }) => attributes)).toEqual([
      { ...request, 'http.response.status_code': 503, 'error.type': '503' },
      { ...request, 'http.response.status_code': 200 },
    ]);
    for (const { value } of metric.dataPoints) {
      expect(value.buckets.boundaries).toEqual([
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
      ]);
      // Three attempts of 200 ms each.
      expect(value.sum).toBeCloseTo(0.6);
      expect(value.buckets.counts).toEqual([0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
  });

  it('have no id, key or amount for any method, and at most one series per route', async () => {
    const { payments, metrics: read } = startClient([[404, {}]]);
    const calls = Object.values(everyMethod);
    for (const round of [1, 2]) {
      for (const [index, call] of calls.entries()) {
        await Promise.resolve(call(payments, { operationId: `order-${round}-${index}` })).catch(() => {});
      }
      await payments.request({ method: 'GET', path: `/v1/payouts/po_${round}` }).catch(() => {});
    }
    const all = await read();
    expect(all.map(({ descriptor }) => descriptor.name)).toEqual([
      'payments.retry_budget.left',
      'http.client.request.duration',
      'payments.calls',
      'payments.call.duration',
    ]);
    for (const { dataPoints } of all.slice(1)) {
      expect(dataPoints.length).toBeGreaterThan(50);
      expect(dataPoints.length).toBeLessThanOrEqual(calls.length + 1);
      const attributes = JSON.stringify(dataPoints.map((point) => point.attributes));
      expect(attributes).not.toMatch(/_1\b|order-|po_|1200|sk_v1|idempotency/i);
    }
  });
});

describe('payments.calls', () => {
  type Call = (payments: PaymentsClient) => PromiseLike<unknown>;
  const create: Call = (p) => p.refunds.create(refundParams, by);
  const sale: Call = (p) => p.transact.sale(saleParams);

  it.each<[error: string, outcome: string, operation: string, status: number, body: unknown, call: Call]>([
    ['ServerError', 'unknown', 'refunds.create', 500, {}, create],
    ['PaymentDeclinedError', 'declined', 'refunds.create', 402, { code: 'card_declined' }, create],
    ['ResponseValidationError', 'executed', 'refunds.create', 200, { id: 7 }, create],
    [
      'ServerError',
      'not_an_operation',
      'request',
      500,
      {},
      (p) => p.request({ method: 'GET', path: '/v1/payouts/po_1' }),
    ],
    ['PaginationError', 'not_an_operation', 'products.list', 200, { data: [] }, (p) => p.products.list()],
    ['ResponseValidationError', 'unknown', 'transact.sale', 200, '<html>', sale],
    [
      'TransactionDeclinedError',
      'declined',
      'transact.sale',
      200,
      'response=2',
      (p) => p.transact.sale(saleParams, { throwOnDecline: true }),
    ],
  ])('counts %s, %s, of %s, whose span is marked', async (name, outcome, operation, status, body, call) => {
    const { payments, spans, metrics: read } = startClient([[status, body]]);
    await failureOf(call(payments), PaymentsError);
    const about = { 'error.type': name, 'payments.outcome': outcome, 'payments.operation': operation };
    expect(countsIn(await read())).toEqual([[about, 1]]);
    const [attempt, span] = spans();
    expect(span?.attributes).toMatchObject(about);
    // An attempt with a response that cannot be used is no failed request.
    expect(attempt?.attributes['error.type']).toBe(status === 200 ? undefined : String(status));
  });

  it('counts what succeeds, and a decline that is a result, without an error', async () => {
    const { payments, metrics: read } = startClient([
      [200, refund],
      [200, 'response=2'],
    ]);
    await payments.refunds.retrieve('rf_1');
    for (const _time of [1, 2]) await sale(payments);
    expect(countsIn(await read())).toEqual([
      [{ 'payments.operation': 'refunds.retrieve', 'payments.outcome': 'ok' }, 1],
      [{ 'payments.operation': 'transact.sale', 'payments.outcome': 'declined' }, 2],
    ]);
  });

  it('has the duration of each, with all attempts, by operation and outcome alone', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { payments, metrics: read } = startClient([], {
      maxRetries: 1,
      fetch: async () => {
        now += 4500;
        return Response.json({}, { status: 503 });
      },
    });
    await failureOf(create(payments), PaymentsError);
    const metric = (await read()).find(({ descriptor }) => descriptor.name === 'payments.call.duration');
    if (metric?.dataPointType !== DataPointType.HISTOGRAM) throw new Error('it is no histogram');
    expect(metric.descriptor.unit).toBe('s');
    const attributes = { 'payments.operation': 'refunds.create', 'payments.outcome': 'unknown' };
    expect(metric.dataPoints).toMatchObject([{ attributes, value: { sum: 9, count: 1 } }]);
    // The alarm of slow calls reads this bound.
    expect(metric.dataPoints[0]?.value.buckets.boundaries).toContain(7.5);
  });
});

describe('openTelemetry', () => {
  it('uses the global providers by default, also those that are set up later', async () => {
    const { payments, ...telemetry } = startClient([[200, refund]], { hooks: openTelemetry().hooks });
    trace.setGlobalTracerProvider(telemetry.options.tracerProvider);
    metrics.setGlobalMeterProvider(telemetry.options.meterProvider);
    onTestFinished(() => {
      trace.disable();
      metrics.disable();
    });
    await payments.refunds.retrieve('rf_1');
    expect(telemetry.spans()).toHaveLength(2);
    expect(await telemetry.metrics()).toHaveLength(4);
  });

  it.each([
    ['meterProvidr', "a known name, got an unknown option (did you mean 'meterProvider'?)", metrics],
    ['meterProvider', 'a provider with getMeter', {}],
    ['tracerProvider', 'a provider with getTracer', metrics],
    ['attemptSpans', 'true or false', 'no'],
  ])('refuses %s unless it is %s', (path, expected, value) => {
    const create = () => openTelemetry(anything({ [path]: value }));
    expect(create).toThrow(`openTelemetry.${path}: expected ${expected}`);
  });
});
