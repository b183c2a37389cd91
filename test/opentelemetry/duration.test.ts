/** The metric `http.client.request.duration` counts every attempt, with low-cardinality attributes. */

import { metrics } from '@opentelemetry/api';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import { PaymentsClient } from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { everyMethod } from '../support/every-method.ts';
import { refund, refundParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { serve } from '../support/serve.ts';
import { closedUrl } from '../support/socket-server.ts';
import { startTelemetry } from '../support/telemetry.ts';

const secretKey = 'sk_v1_test_metrics01';

it('refuses a misspelt provider', () => {
  expect(() => openTelemetry(anything({ meterProvidr: metrics }))).toThrow(
    "openTelemetry.meterProvidr: expected a known name, got an unknown option (did you mean 'meterProvider'?).",
  );
});

it('is a histogram in seconds with the conventional bounds, one point for each outcome', async () => {
  skipBackOff();
  let requests = 0;
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { url, close } = await serve((_request, response) => {
    requests += 1;
    now += 200;
    response.writeHead(requests % 2 === 1 ? 503 : 200).end(JSON.stringify(refund));
  });
  onTestFinished(close);
  const telemetry = startTelemetry();
  const payments = new PaymentsClient({ baseUrl: url, secretKey, hooks: telemetry.hooks });
  for (const operationId of ['a', 'b', 'c']) await payments.refunds.create(refundParams, { operationId });
  const [metric, ...others] = await telemetry.metrics();
  expect(others).toEqual([]);
  expect(metric?.descriptor).toMatchObject({ name: 'http.client.request.duration', unit: 's' });
  if (metric?.dataPointType !== DataPointType.HISTOGRAM) throw new Error('it is no histogram');
  const request = {
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(url).port),
    'url.template': '/v1/refunds',
  };
  expect(metric.dataPoints.map(({ attributes, value }) => ({ attributes, count: value.count }))).toEqual([
    { attributes: { ...request, 'http.response.status_code': 503, 'error.type': '503' }, count: 3 },
    { attributes: { ...request, 'http.response.status_code': 200 }, count: 3 },
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

it('has an error type if there is no response', async () => {
  const telemetry = startTelemetry();
  const options = { baseUrl: closedUrl, secretKey, maxRetries: 0, hooks: telemetry.hooks };
  await new PaymentsClient(options).refunds.retrieve('rf_1').catch(() => {});
  const [metric] = await telemetry.metrics();
  expect(metric?.dataPoints.map(({ attributes }) => attributes)).toMatchObject([
    { 'error.type': 'ECONNREFUSED' },
  ]);
});

it('contains no id, key or amount for any method, and has at most one series per route', async () => {
  const { url, close } = await serve((_request, response) => response.writeHead(404).end('{}'));
  onTestFinished(close);
  const telemetry = startTelemetry();
  const payments = new PaymentsClient({ baseUrl: url, secretKey, hooks: telemetry.hooks });
  const calls = Object.values(everyMethod);
  for (const round of [1, 2]) {
    for (const [index, call] of calls.entries()) {
      await Promise.resolve(call(payments, { operationId: `order-${round}-${index}` })).catch(() => {});
    }
  }
  for (const id of ['po_1', 'po_2', 'po_3']) {
    await payments.request({ method: 'GET', path: `/v1/payouts/${id}` }).catch(() => {});
  }
  const [metric] = await telemetry.metrics();
  const points = metric?.dataPoints ?? [];
  expect(points.length).toBeGreaterThan(50);
  expect(points.length).toBeLessThanOrEqual(calls.length + 1);
  expect(JSON.stringify(points.map(({ attributes }) => attributes))).not.toMatch(
    /_1\b|order-|po_|1200|sk_v1|idempotency/i,
  );
});

it('reaches a global provider that is set up after the client was created', async () => {
  const { url, close } = await serve((_request, response) => response.end(JSON.stringify(refund)));
  onTestFinished(close);
  const payments = new PaymentsClient({ baseUrl: url, secretKey, hooks: openTelemetry().hooks });
  const telemetry = startTelemetry();
  metrics.setGlobalMeterProvider(telemetry.options.meterProvider);
  onTestFinished(() => metrics.disable());
  await payments.refunds.retrieve('rf_1');
  expect(await telemetry.metrics()).toHaveLength(1);
});
