/** What goes back by itself: what was paid too much, or for a canceled order. */

import { expect, it } from 'vitest';
import { onlyNeed, openShop, sumsOf } from './shop.ts';

const refused = { status: 422, body: { error: { code: 'NO_REFUND' } } } as const;

it('gives all back that was paid for a canceled order, and what comes later', async () => {
  const shop = openShop();
  const { orders, sandbox, pageOf, row, deliver } = shop;
  const first = await pageOf();
  row.cups = 2;
  const second = await pageOf();
  sandbox.pay(first.session);
  await orders.refresh('order-1');
  expect(sumsOf(await orders.cancel('order-1'))).toMatchObject({ state: 'canceled', refunding: 1200 });
  expect(sandbox.get('checkout_session', second.session)?.status).toBe('expired');
  sandbox.pay(second.session);
  await deliver('checkout.session.completed', second.session);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ paid: 3600, refunding: 3600 });
  expect(shop.shipped).toEqual([]);
});

it('does not cancel a paid order', async () => {
  const { orders, pay, sent } = openShop();
  await pay();
  sent();
  expect((await orders.cancel('order-1')).state).toBe('paid');
  expect(sent()).toEqual([]);
});

it('keeps a tip, until the whole payment goes back', async () => {
  const shop = openShop();
  const { orders, sandbox, pageOf, deliver } = shop;
  const { session } = await pageOf();
  sandbox.pay(session);
  await deliver('checkout.session.completed', session, { amount_total: 1350 });
  expect(sumsOf(await orders.get('order-1'))).toEqual({
    state: 'paid',
    total: 1200,
    paid: 1350,
    added: 150,
    refundable: 1350,
  });
  expect((await shop.payments.refunds.list()).items).toEqual([]);
  const canceled = openShop();
  const page = await canceled.pageOf();
  await canceled.orders.cancel('order-1');
  canceled.sandbox.pay(page.session);
  // The sandbox took no tip, so it refuses to give one back.
  await canceled.deliver('checkout.session.completed', page.session, { amount_total: 1350 });
  const { refunds } = await canceled.orders.get('order-1');
  expect(refunds).toMatchObject([{ why: 'extra', money: { amount: 1350 } }]);
});

it('does not plan again what was too much and could not be given back', async () => {
  const shop = openShop();
  const { orders, sandbox, pageOf, deliver, row, sent } = shop;
  const { session } = await pageOf();
  row.cups = 2;
  await pageOf();
  row.cups = 1;
  await orders.charge('order-1', 'pm_1');
  sandbox.pay(session);
  sandbox.faults.inject({ kind: 'respond', operation: 'refunds.create', ...refused });
  await deliver('checkout.session.completed', session);
  sent();
  await orders.resume();
  const { refunds } = await orders.refresh('order-1');
  expect(sent()).not.toContain('refunds.create');
  const need = await onlyNeed(shop, 'refund_failed');
  const [extra] = refunds;
  expect(extra).toMatchObject({ why: 'extra', status: 'failed' });
  const again = await orders.retryRefund('order-1', extra?.id ?? '');
  expect(sumsOf(again)).toMatchObject({ refunding: 1200, refundable: 1200 });
  expect(need.money.amount).toBe(1200);
});

it('gives back all of a second payment, though a part of the first went back already', async () => {
  const shop = openShop();
  const { orders, row, sandbox, pageOf, deliver } = shop;
  row.cups = 2;
  const first = await pageOf();
  row.cups = 1;
  const second = await pageOf();
  for (const { session } of [first, second]) {
    sandbox.pay(session);
    await deliver('checkout.session.completed', session);
  }
  const view = await orders.get('order-1');
  expect(sumsOf(view)).toMatchObject({ paid: 3600, refunding: 2400, refundable: 1200 });
  // A return may have the id of what was too much.
  const id = view.refunds[0]?.id ?? '';
  const returned = await orders.refund('order-1', { id, amount: 1200, currency: 'USD' });
  expect(sumsOf(returned)).toMatchObject({ refunding: 3600 });
  expect((await shop.payments.refunds.list()).items.map(({ amount }) => amount)).toEqual([1200, 1200, 1200]);
});

it('gives back what was paid in another currency', async () => {
  const { orders, sandbox, row, pageOf, deliver } = openShop();
  const { session } = await pageOf();
  row.currency = 'eur';
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  sandbox.pay(session);
  await deliver('checkout.session.completed', session);
  const view = await orders.get('order-1');
  expect(view.refunds).toMatchObject([{ why: 'extra', money: { amount: 1200, currency: 'USD' } }]);
  expect(view.paid).toEqual({ amount: 1200, currency: 'EUR' });
});
