/** The checkout with Express: it redirects a buyer to the hosted page, and an order is paid after a webhook says so. */

import type { SandboxOptions } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { clientOf, pageOf } from '../support/sandbox.ts';
import { openDatabase } from './shop-database.ts';
import { secret, startMerchant } from './support.ts';

async function startShop(options: SandboxOptions = {}) {
  const merchant = await startMerchant({ SHOP_URL: 'https://shop.example' }, options);
  const { url } = await merchant.serve('checkout-express');
  merchant.sandbox.webhooks.deliverTo(`${url}/webhooks`, { secret });
  const made = await fetch(`${url}/orders`, { method: 'POST' });
  const { id } = Object(await made.json());
  const order = `${url}/orders/${id}`;
  const press = () => fetch(`${order}/checkout`, { method: 'POST', redirect: 'manual' });
  const show = async () => Object(await (await fetch(order)).json());
  const { change, shipments } = openDatabase(merchant.folder, 'shop.sqlite');
  return { ...merchant, url, id, press, show, change, shipments };
}

const sessionsOf = ({ sandbox }: Awaited<ReturnType<typeof startShop>>) =>
  clientOf(sandbox).checkoutSessions.list().toArray({ max: 5 });

/** Returns the response status of the last attempt of each delivery. */
const lastStatuses = ({ sandbox }: Awaited<ReturnType<typeof startShop>>) =>
  sandbox.webhooks.deliveries().map(({ attempts }) => attempts.at(-1)?.status);

it('opens one session for an order, and ships after the webhook', async () => {
  const shop = await startShop();
  const clickCheckout = [await shop.press(), await shop.press()];
  const [session, ...others] = await sessionsOf(shop);
  expect(others).toEqual([]);
  expect(session?.amount_total).toBe(2400);
  expect(session?.success_url).toMatch(/^https:\/\/shop\.example\/orders\/order-/);
  for (const press of clickCheckout) {
    expect(press.status).toBe(303);
    expect(press.headers.get('location')).toBe(pageOf(shop.sandbox, session?.id ?? ''));
  }
  expect(shop.shipments()).toEqual([]);
  shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect(shop.shipments()).toEqual([shop.id]);
  expect(await shop.show()).toMatchObject({ state: 'paid', paid: { amount: 2400 }, due: { amount: 0 } });
  expect((await shop.press()).status).toBe(409);
});

it('opens the same session after a lost response', async () => {
  const shop = await startShop();
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  expect((await shop.press()).status).toBe(503);
  expect((await shop.press()).status).toBe(303);
  expect(await sessionsOf(shop)).toHaveLength(1);
});

it('refunds the second payment of an order, if an expired session takes one', async () => {
  const shop = await startShop({ expiredSessions: 'payable' });
  await shop.press();
  const [first] = await sessionsOf(shop);
  await clientOf(shop.sandbox).checkoutSessions.expire(first?.id ?? '');
  await shop.press();
  const [second] = await sessionsOf(shop);
  for (const session of [second, first]) shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect(shop.shipments()).toEqual([shop.id]);
  const refunds = await clientOf(shop.sandbox).refunds.list().toArray({ max: 5 });
  expect(refunds.map(({ amount }) => amount)).toEqual([2400]);
  expect(lastStatuses(shop)).not.toContain(500);
});

it('has no page for an unknown order', async () => {
  const shop = await startShop();
  expect((await fetch(`${shop.url}/orders/none/checkout`, { method: 'POST' })).status).toBe(404);
});

it('ships after a webhook that arrived before the order had its session', async () => {
  const shop = await startShop();
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  expect((await shop.press()).status).toBe(503);
  const [session] = await sessionsOf(shop);
  shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect(lastStatuses(shop)).toContain(500);
  await shop.press();
  await shop.sandbox.clock.advance('5 s');
  expect(lastStatuses(shop)).not.toContain(500);
  expect(shop.shipments()).toEqual([shop.id]);
});

it('ships when the buyer comes back before the webhook, and once when it arrives', async () => {
  const shop = await startShop();
  await shop.press();
  const [session] = await sessionsOf(shop);
  await shop.sandbox.settled();
  shop.sandbox.faults.inject({ kind: 'delay_delivery', by: '1 hour', times: 20 });
  shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect(shop.shipments()).toEqual([]);
  expect((await shop.press()).status).toBe(409);
  expect(shop.shipments()).toEqual([shop.id]);
  await shop.sandbox.clock.advance('1 hour');
  await shop.sandbox.settled();
  expect(shop.shipments()).toEqual([shop.id]);
});

it('ships an order that was edited after its page was opened only when all of it is paid', async () => {
  const shop = await startShop();
  await shop.press();
  const [session] = await sessionsOf(shop);
  shop.change('UPDATE orders SET price = 240000');
  shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect(await shop.show()).toMatchObject({ state: 'part_paid', due: { amount: 237_600 } });
  expect(shop.shipments()).toEqual([]);
  await shop.press();
  const [rest] = await sessionsOf(shop);
  shop.sandbox.pay(rest?.id ?? '');
  await shop.sandbox.settled();
  expect(shop.shipments()).toEqual([shop.id]);
});

it('opens a new session after one expired, and only the new one can be paid', async () => {
  const shop = await startShop();
  await shop.press();
  const [first] = await sessionsOf(shop);
  await clientOf(shop.sandbox).checkoutSessions.expire(first?.id ?? '');
  expect((await shop.press()).status).toBe(303);
  await shop.sandbox.settled();
  expect(shop.shipments()).toEqual([]);
  const [second] = await sessionsOf(shop);
  expect(second?.id).not.toBe(first?.id);
  expect(() => shop.sandbox.pay(first?.id ?? '')).toThrow();
  shop.sandbox.pay(second?.id ?? '');
  await shop.sandbox.settled();
  expect(shop.shipments()).toEqual([shop.id]);
});
