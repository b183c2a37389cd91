/** The checkout with Express: a buyer is led to the hosted page, and an order is paid once a delivery says so. */

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

it('leads to one session of an order, and marks it paid when the webhook says so', async () => {
  const shop = await startShop();
  const presses = [await shop.press(), await shop.press()];
  const [session, ...others] = await sessionsOf(shop);
  expect(others).toEqual([]);
  expect(session?.amount_total).toBe(2400);
  expect(session?.success_url).toMatch(/^https:\/\/shop\.example\/orders\/order-/);
  for (const press of presses) {
    expect(press.status).toBe(303);
    expect(press.headers.get('location')).toBe(shop.sandbox.checkoutUrl(session?.id ?? ''));
  }
  expect(await shop.status()).toBe('open');
  shop.sandbox.pay(session?.id ?? '');
  await shop.sandbox.settled();
  expect(await shop.status()).toBe('paid');
  expect((await shop.press()).status).toBe(409);
});

it('lets the buyer try again where the reply was lost, with the same session', async () => {
  const shop = await startShop();
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  expect((await shop.press()).status).toBe(503);
  expect((await shop.press()).status).toBe(303);
  expect(await sessionsOf(shop)).toHaveLength(1);
});

it('closes an order whose session expired, and no order that the event does not name', async () => {
  const shop = await startShop();
  await shop.press();
  const [session] = await sessionsOf(shop);
  await clientOf(shop.sandbox).checkoutSessions.expire(session?.id ?? '');
  shop.sandbox.trigger('checkout.session.completed');
  await shop.sandbox.settled();
  expect(await shop.status()).toBe('expired');
  expect(shop.sandbox.webhooks.deliveries().map(({ status }) => status)).not.toContain('failed');
  expect((await fetch(`${shop.url}/orders/none/checkout`, { method: 'POST' })).status).toBe(404);
});

it('gives a buyer whose session expired a new one, which alone can be paid', async () => {
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
