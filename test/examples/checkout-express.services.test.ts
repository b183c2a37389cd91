/** The checkout with Express: it redirects a buyer to the hosted page, and an order is paid after a webhook says so. */

import { expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { secret, startMerchant } from './support.ts';

async function startShop() {
  const merchant = await startMerchant({ SHOP_URL: 'https://shop.example' });
  const { url } = await merchant.serve('checkout-express');
  merchant.sandbox.webhooks.deliverTo(`${url}/webhooks`, { secret });
  const made = await fetch(`${url}/orders`, { method: 'POST' });
  const { id } = Object(await made.json());
  const order = `${url}/orders/${id}`;
  const press = () => fetch(`${order}/checkout`, { method: 'POST', redirect: 'manual' });
  const status = async () => Object(await (await fetch(order)).json()).state;
  return { ...merchant, url, press, status };
}

const sessionsOf = ({ sandbox }: Awaited<ReturnType<typeof startShop>>) =>
  clientOf(sandbox).checkoutSessions.list().toArray({ max: 5 });

/** Returns the response status of the last attempt of each delivery. */
const lastStatuses = ({ sandbox }: Awaited<ReturnType<typeof startShop>>) =>
  sandbox.webhooks.deliveries().map(({ attempts }) => attempts.at(-1)?.status);

it('opens one session for an order, and marks it paid after the webhook', async () => {
  const shop = await startShop();
  const clickCheckout = [await shop.press(), await shop.press()];
  const [session, ...others] = await sessionsOf(shop);
  expect(others).toEqual([]);
  expect(session?.amount_total).toBe(2400);
  expect(session?.success_url).toMatch(/^https:\/\/shop\.example\/orders\/order-/);
  for (const press of clickCheckout) {
    expect(press.status).toBe(303);
    expect(press.headers.get('location')).toBe(shop.sandbox.checkoutUrl(session?.id ?? ''));
  }
  expect(await shop.status()).toBe('open');
  shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect(await shop.status()).toBe('paid');
  expect((await shop.press()).status).toBe(409);
});

it('opens the same session after a lost response', async () => {
  const shop = await startShop();
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  expect((await shop.press()).status).toBe(503);
  expect((await shop.press()).status).toBe(303);
  expect(await sessionsOf(shop)).toHaveLength(1);
});

it('closes an order after its session expired, and no other order', async () => {
  const shop = await startShop();
  shop.sandbox.trigger('checkout.session.expired');
  await shop.press();
  const [session] = await sessionsOf(shop);
  shop.sandbox.trigger('checkout.session.expired');
  await shop.sandbox.settled();
  expect(await shop.status()).toBe('open');
  await clientOf(shop.sandbox).checkoutSessions.expire(session?.id ?? '');
  await shop.sandbox.settled();
  expect(await shop.status()).toBe('expired');
  expect(lastStatuses(shop)).not.toContain(500);
  expect((await fetch(`${shop.url}/orders/none/checkout`, { method: 'POST' })).status).toBe(404);
});

it('marks an order paid after a webhook that arrived before the order had its session', async () => {
  const shop = await startShop();
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  expect((await shop.press()).status).toBe(503);
  const [session] = await sessionsOf(shop);
  shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect(lastStatuses(shop)).toContain(500);
  await shop.press();
  expect(await shop.status()).toBe('open');
  await shop.sandbox.clock.advance('5 s');
  expect(lastStatuses(shop)).not.toContain(500);
  expect(await shop.status()).toBe('paid');
});

it('leaves a paid order to the webhook that ships it, also if the buyer clicks before it arrives', async () => {
  const shop = await startShop();
  await shop.press();
  const [session] = await sessionsOf(shop);
  await shop.sandbox.settled();
  shop.sandbox.faults.inject({ kind: 'delay_delivery', by: '1 hour', times: 20 });
  shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect((await shop.press()).status).toBe(303);
  expect(await shop.status()).toBe('open');
  await shop.sandbox.clock.advance('1 hour');
  await shop.sandbox.settled();
  expect(await shop.status()).toBe('paid');
});

it('opens a new session after one expired, and only the new one can be paid', async () => {
  const shop = await startShop();
  await shop.press();
  const [first] = await sessionsOf(shop);
  await clientOf(shop.sandbox).checkoutSessions.expire(first?.id ?? '');
  expect((await shop.press()).status).toBe(303);
  await shop.sandbox.settled();
  expect(await shop.status()).toBe('open');
  const [second] = await sessionsOf(shop);
  expect(second?.id).not.toBe(first?.id);
  expect(() => shop.sandbox.pay(first?.id ?? '')).toThrow();
  shop.sandbox.pay(second?.id ?? '');
  await shop.sandbox.settled();
  expect(await shop.status()).toBe('paid');
});
