/**
 * How to test code that charges customers, with vitest and the sandbox: without a network, without waiting, and with every fault.
 *
 * Run it: `npx vitest run examples/testing`. In your app: `npx vitest run`.
 */

import { PaymentsClient } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { matchers, type PaymentsMatchers } from 'payments-client-sandbox/testing';
import { expect, it } from 'vitest';
import { chooseCard, type Order, settleOrder } from '../settle-order.ts';

expect.extend(matchers);
declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends PaymentsMatchers<R> {}
}

/** Creates a sandbox in this process for one test, and an order whose buyer chose a card. */
function start(card = 'pm_card') {
  const sandbox = createSandbox();
  const { url: baseUrl, secretKey, fetch } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, fetch, maxRetries: 0 });
  const order: Order = {
    id: 'order-1042',
    amount: 1200,
    currency: 'usd',
    createdAt: Date.now(),
    state: 'open',
    intent: null,
    card: null,
    attempt: 0,
  };
  chooseCard(order, card);
  const settle = () => settleOrder(payments, order, () => {});
  const charges = async () =>
    (await payments.charges.list().toArray({ max: 10 })).map(({ status }) => status);
  return { sandbox, payments, order, settle, charges };
}

it('charges once, even if it runs again', async () => {
  const { order, settle, charges } = start();
  await settle();
  await settle();
  expect(order.state).toBe('paid');
  expect(await charges()).toEqual(['succeeded']);
});

it('requests another card after a decline, and charges it', async () => {
  const { order, settle, charges } = start('pm_card_declined');
  await settle();
  expect(order).toMatchObject({ state: 'open', card: null });
  chooseCard(order, 'pm_card');
  await settle();
  expect(order.state).toBe('paid');
  expect(await charges()).toEqual(['succeeded', 'failed']);
});

it('stays open after a lost response and a refusal, and does not charge twice', async () => {
  const { sandbox, order, settle, charges } = start();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
  await expect(settle()).rejects.toHaveOutcome('unknown');
  sandbox.faults.inject({ kind: 'rate_limit' });
  // It refuses a read, which says nothing of the charge.
  await expect(settle()).rejects.toHaveOutcome('not_an_operation');
  expect(order.state).toBe('open');
  await settle();
  expect(order.state).toBe('paid');
  expect(await charges()).toEqual(['succeeded']);
});

it('closes an order as failed when its intent is canceled', async () => {
  const { order, settle, charges } = start();
  order.state = 'canceling';
  await settle();
  expect(order.state).toBe('failed');
  expect(await charges()).toEqual([]);
});

it('ships once if the event is delivered twice', async () => {
  const { sandbox, settle } = start();
  const shipped: string[] = [];
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const receiver = new Webhooks({ secret }).receiver({
    store: memoryStore(),
    on: { 'payment_intent.succeeded': ({ data }) => shipped.push(data.object.id) },
  });
  sandbox.webhooks.deliverTo(receiver.fetch, { secret });
  sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['payment_intent.succeeded'] });
  await settle();
  await sandbox.settled();
  expect(shipped).toHaveLength(1);
});
