/**
 * How to test what takes money, with vitest and the sandbox: no network, no waiting, and everything that can go wrong.
 *
 * Run it: `npx vitest run examples/testing`. In your app: `npx vitest run`.
 */

import { PaymentsClient } from 'payments-client';
import { createSandbox } from 'payments-client/sandbox';
import { memoryStore, Webhooks } from 'payments-client/webhooks';
import { expect, it } from 'vitest';
import { type Order, sell } from './shop.ts';

const order: Order = { id: 'order-1042', amount: 1200, currency: 'usd', paymentMethod: 'pm_card' };

/** A service of its own for each test, in this process. */
function start() {
  const sandbox = createSandbox();
  const { url: baseUrl, secretKey, fetch } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, fetch, maxRetries: 0 });
  const charges = async () =>
    (await payments.charges.list().toArray({ max: 10 })).map(({ status }) => status);
  return { sandbox, payments, charges };
}

it('takes the money once, however often an order is sold', async () => {
  const { payments, charges } = start();
  expect(await sell(payments, order)).toBe('paid');
  expect(await sell(payments, order)).toBe('paid');
  expect(await charges()).toEqual(['succeeded']);
});

it('tells a declined card', async () => {
  const { payments, charges } = start();
  expect(await sell(payments, { ...order, paymentMethod: 'pm_card_declined' })).toBe('declined');
  expect(await charges()).toEqual(['failed']);
});

it('does not charge again where the reply was lost', async () => {
  const { sandbox, payments, charges } = start();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
  expect(await sell(payments, order)).toBe('unclear');
  expect(await sell(payments, order)).toBe('paid');
  expect(await charges()).toEqual(['succeeded']);
});

it('ships once, though the event comes twice', async () => {
  const { sandbox, payments } = start();
  const shipped: string[] = [];
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const receiver = new Webhooks({ secret }).receiver({
    store: memoryStore(),
    on: { 'payment_intent.succeeded': ({ data }) => shipped.push(data.object.id) },
  });
  sandbox.webhooks.deliverTo(receiver.fetch, { secret });
  sandbox.webhooks.disturb({ kind: 'duplicate', types: ['payment_intent.succeeded'] });
  await sell(payments, order);
  await sandbox.settled();
  expect(shipped).toHaveLength(1);
});
