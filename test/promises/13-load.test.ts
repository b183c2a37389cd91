/** Promise 13: a sick service is not made sicker: retries have a budget, calls in flight a bound, and what is shed was never sent. */

import { ConnectionError, PaymentsClient, PaymentsError, ServerError } from 'payments-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { closedUrl, response, startSocketServer } from '../support/socket-server.ts';
import { type Answer, broken, ok, wireService } from './wire.ts';

beforeEach(skipBackOff);

const sick = response('503 Unavailable', '');
let orders = 0;
const pay = (payments: PaymentsClient) => {
  orders += 1;
  return payments.paymentIntents.create(intentParams, { operationId: `order-${orders}` });
};

describe('in an outage', () => {
  it.each<readonly [what: string, answer: Answer]>([
    ['answers 503', sick],
    ['breaks connections', broken],
  ])('each call is one request once the budget is spent, to a service that %s', async (_what, answer) => {
    const { options, requests } = await wireService(answer);
    const payments = new PaymentsClient({ ...options, retryBudget: 10 });
    for (let call = 0; call < 20; call += 1) await failureOf(pay(payments), PaymentsError);
    expect(requests).toHaveLength(20 + 10);
  });

  it('a sale and a payment of one client have one budget', async () => {
    const options = {
      baseUrl: closedUrl,
      secretKey: 'sk_v1_test_promises01',
      securityKey: 'security-key-promises',
    };
    const payments = new PaymentsClient({ ...options, retryBudget: 3 });
    const attempts: number[] = [];
    for (const call of [() => payments.transact.sale(saleParams), () => pay(payments), () => pay(payments)])
      attempts.push((await failureOf(call(), ConnectionError)).attempts);
    expect(attempts).toEqual([3, 2, 1]);
  });
});

it('a service that answers again gets retries again', async () => {
  const answers = [
    sick,
    sick,
    ...Array.from({ length: 10 }, () => ok(paymentIntent)),
    sick,
    ok(paymentIntent),
  ];
  const { options, requests } = await wireService(...answers);
  const payments = new PaymentsClient({ ...options, retryBudget: 1, maxRetries: 1 });
  await failureOf(pay(payments), ServerError);
  for (let call = 0; call < 11; call += 1) await pay(payments);
  expect(requests).toHaveLength(answers.length);
});

it('a call beyond the bound is never sent, and says that no money moved', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  let onRequest = () => {};
  const asked = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const { url, connections } = await startSocketServer((socket) => void socket.once('data', onRequest));
  const { options } = await wireService(sick);
  const payments = new PaymentsClient({ ...options, baseUrl: url, maxConcurrency: 1 });
  const first = failureOf(payments.products.list({}, { signal }), PaymentsError);
  await asked;
  for (const call of [() => pay(payments), () => payments.transact.sale(saleParams)])
    expect(await failureOf(call(), ConnectionError)).toMatchObject({
      code: 'TOO_MANY_CALLS',
      outcome: 'not_executed',
      retryable: true,
      attempts: 0,
    });
  controller.abort();
  await first;
  expect(connections()).toBe(1);
});

it('a wait is never shorter than the service asks', async () => {
  const waits: number[] = [];
  const hooks = { retry: ({ wait }: { readonly wait: number }) => waits.push(wait) };
  const busy = response('429 Too Many Requests', '', 'retry-after: 0.01\r\n');
  const { options } = await wireService(busy, ok(paymentIntent));
  await pay(new PaymentsClient({ ...options, hooks }));
  expect(waits).toEqual([10]);
});
