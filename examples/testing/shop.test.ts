/**
 * How to test code that charges customers, with vitest and the sandbox: without a network, without waiting, and with every fault.
 * It tests the orders of `web-checkout/`.
 *
 * Run it: `npx vitest run examples/testing`. In your app: `npx vitest run`.
 */

import { DatabaseSync } from 'node:sqlite';
import { Webhooks } from 'payments-client/webhooks';
import { createTestClient, matchers, type PaymentsMatchers } from 'payments-client-sandbox/testing';
import { expect, it } from 'vitest';
import { openOrders } from '../web-checkout/orders.ts';

expect.extend(matchers);
declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends PaymentsMatchers<R> {}
}

/** Creates a sandbox in this process for one test, and a shop with one order of 24.00. */
function start() {
  const { payments, sandbox } = createTestClient();
  const database = new DatabaseSync(':memory:');
  const orders = openOrders(payments, database, 'https://shop.example');
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const receiver = new Webhooks({ secret }).receiver({ store: orders.store, on: orders.on });
  sandbox.webhooks.deliverTo(receiver.fetch, { secret });
  const id = orders.create();
  const isShipped = () => database.prepare('SELECT shipped FROM orders').get()?.['shipped'] === 1;
  return { sandbox, database, orders, id, isShipped };
}

/** Opens the payment page of an order, and returns the id of its session. */
async function openPage({ orders, id }: ReturnType<typeof start>) {
  const checkout = await orders.checkout(id);
  if (checkout.state !== 'open') throw new Error(`Expected an open page, got ${checkout.state}.`);
  return checkout.session;
}

it('ships when the buyer has paid, if the event is delivered twice too', async () => {
  const shop = start();
  const { sandbox, orders, id, isShipped } = shop;
  sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'] });
  sandbox.pay(await openPage(shop));
  await sandbox.settled();
  expect(await orders.get(id)).toMatchObject({ state: 'paid', paid: { amount: 2400 } });
  expect(isShipped()).toBe(true);
});

it('charges another card after a decline', async () => {
  const { orders, id, isShipped } = start();
  expect(await orders.charge(id, 'pm_card_declined')).toMatchObject({ state: 'declined' });
  expect(isShipped()).toBe(false);
  expect(await orders.charge(id, 'pm_card')).toEqual({ state: 'paid' });
  expect(isShipped()).toBe(true);
});

it('charges once after a lost response, whatever card the buyer tries next', async () => {
  const { sandbox, orders, id } = start();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
  await expect(orders.charge(id, 'pm_card')).rejects.toHaveOutcome('unknown');
  expect(await orders.charge(id, 'pm_card_visa')).toEqual({ state: 'paid' });
  const { paid, payments } = await orders.get(id);
  expect([paid.amount, payments.length]).toEqual([2400, 1]);
});

it('does not ship an order that was edited after the buyer saw its price', async () => {
  const shop = start();
  const { sandbox, database, orders, id, isShipped } = shop;
  const session = await openPage(shop);
  database.exec('UPDATE orders SET pounds = 100 WHERE shipped = 0');
  sandbox.pay(session);
  await sandbox.settled();
  expect(await orders.get(id)).toMatchObject({ state: 'part_paid', due: { amount: 237_600 } });
  expect(isShipped()).toBe(false);
});

it('asks a person about a card sale whose response is lost', async () => {
  const { sandbox, orders, id, isShipped } = start();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.sale' });
  await expect(orders.sell(id, { payment_token: 'tok_1' })).rejects.toHaveOutcome('unknown');
  expect(await orders.sell(id, { payment_token: 'tok_2' })).toEqual({ state: 'in_progress' });
  const [need] = (await orders.get(id)).needs;
  const [sale] = sandbox.transactions;
  await orders.resolve(id, need?.operation ?? '', sale?.id ?? null);
  expect([need?.kind, isShipped()]).toEqual(['payment_unknown', true]);
});

it('gives back what was paid for a canceled order', async () => {
  const shop = start();
  const { sandbox, orders, id, isShipped } = shop;
  const session = await openPage(shop);
  sandbox.pay(session);
  await orders.cancel(id);
  await sandbox.settled();
  expect(await orders.get(id)).toMatchObject({ state: 'canceled', refunding: { amount: 2400 } });
  expect(isShipped()).toBe(false);
});
