/** The metrics of a client's load on the service: retries, what was not sent, and what is left of the retry budget. */

import { DataPointType } from '@opentelemetry/sdk-metrics';
import { ConnectionError, ServerError } from 'payments-client';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refundParams } from '../support/fixtures.ts';
import { by, startClient } from './client.ts';

/** The points of a metric: its attributes, and its value. */
async function pointsOf({ metrics }: ReturnType<typeof startClient>, name: string, type: DataPointType) {
  const metric = (await metrics()).find(({ descriptor }) => descriptor.name === name);
  if (metric === undefined) return [];
  expect(metric.dataPointType).toBe(type);
  return metric.dataPoints.map(({ attributes, value }) => ({ ...attributes, value }));
}

const service = { 'server.address': 'payments.test', 'server.port': 443 };
const left = 'payments.retry_budget.left';

it('count retries and those that the budget does not allow, and show the budget', async () => {
  const telemetry = startClient([[503, {}]], { maxRetries: 2, retryBudget: 3 });
  const { refunds } = telemetry.payments;
  expect(await pointsOf(telemetry, left, DataPointType.GAUGE)).toEqual([]);
  await failureOf(refunds.create(refundParams, by), ServerError);
  expect(await pointsOf(telemetry, left, DataPointType.GAUGE)).toEqual([{ ...service, value: 1 }]);
  await failureOf(refunds.create(refundParams, by), ServerError);
  await failureOf(refunds.retrieve('rf_1'), ServerError);
  expect(await pointsOf(telemetry, left, DataPointType.GAUGE)).toEqual([{ ...service, value: 0 }]);
  expect(await pointsOf(telemetry, 'payments.call.retries', DataPointType.SUM)).toEqual([
    { 'payments.operation': 'refunds.create', 'error.type': 'ServerError', value: 3 },
  ]);
  expect(await pointsOf(telemetry, 'payments.call.shed', DataPointType.SUM)).toEqual([
    { 'payments.operation': 'refunds.create', 'payments.shed': 'retry', value: 1 },
    { 'payments.operation': 'refunds.retrieve', 'payments.shed': 'retry', value: 1 },
  ]);
});

it('count calls that are not sent, without the ids in their paths', async () => {
  let end = () => {};
  const fetch = () => new Promise<Response>((resolve) => (end = () => resolve(Response.json({}))));
  const telemetry = startClient([], { fetch, maxConcurrency: 1 });
  const { payments } = telemetry;
  const read = () => payments.request({ method: 'GET', path: '/v1/payouts/po_1' });
  const first = read();
  await failureOf(read(), ConnectionError);
  expect(await pointsOf(telemetry, 'payments.call.shed', DataPointType.SUM)).toEqual([
    { 'payments.operation': 'request', 'payments.shed': 'call', value: 1 },
  ]);
  end();
  await first;
});
