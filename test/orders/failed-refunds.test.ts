/** What is left of a refund that failed, when other money of the order has come or gone since. */

import { expect, it } from 'vitest';
import { codeOf, openShop, type Shop, sumsOf } from './shop.ts';

const back = { id: 'return-1', amount: 1200, currency: 'USD' };

/** The bank refuses a refund. */
async function fail({ orders, sandbox, deliver }: Shop, why: 'return' | 'extra'): Promise<string> {
  const { refunds } = await orders.get('order-1');
  const refund = refunds.findLast((one) => one.why === why && one.status === 'pending');
  const changes = { status: 'failed' } as const;
  sandbox.update('refund', refund?.reference as `rf_${string}`, changes);
  await deliver('refund.failed');
  return refund?.id ?? '';
}

/** The refunds of a view: of what they are, and of which amount. */
async function refundsOf({ orders }: Shop): Promise<string[]> {
  const { refunds } = await orders.get('order-1');
  return refunds.map(({ why, status, money }) => `${why} ${status} ${money.amount}`);
}

async function needsOf({ orders }: Shop): Promise<string[]> {
  const { needs } = await orders.get('order-1');
  return needs.map(({ kind, money }) => `${kind} ${money.amount}`);
}

/** An order that was paid with a card, whose return failed; then the page of another tab was paid, so that the card's payment went back. */
async function returnedAndPaidTwice(): Promise<Shop> {
  const shop = openShop();
  const { orders, sandbox } = shop;
  const { session } = await shop.pageOf();
  await orders.charge('order-1', 'pm_card');
  await orders.refund('order-1', back);
  await fail(shop, 'return');
  sandbox.pay(session);
  await orders.refresh('order-1');
  return shop;
}

it('a return goes on with another payment, where its own went back as too much', async () => {
  const shop = await returnedAndPaidTwice();
  expect(await refundsOf(shop)).toEqual(['return failed 1200', 'extra pending 1200']);
  expect(await needsOf(shop)).toEqual(['refund_failed 1200']);
  await shop.orders.retryRefund('order-1', 'return-1');
  expect(await refundsOf(shop)).toEqual(['extra pending 1200', 'return pending 1200']);
  expect(await needsOf(shop)).toEqual([]);
});

it.each(['return', 'extra'])('both are asked for, whichever is retried first: the %s', async (first) => {
  const shop = await returnedAndPaidTwice();
  const extra = await fail(shop, 'extra');
  expect(await needsOf(shop)).toEqual(['refund_failed 1200', 'refund_failed 1200']);
  const ids = [extra, 'return-1'];
  for (const id of first === 'return' ? ids.toReversed() : ids) {
    const isLeft = (await needsOf(shop)).length > 0;
    if (isLeft) await shop.orders.retryRefund('order-1', id);
  }
  expect(sumsOf(await shop.orders.get('order-1'))).toMatchObject({ paid: 2400, refunding: 2400 });
  expect(await needsOf(shop)).toEqual([]);
});

it('keeps no more than without the failure, when the rest went back otherwise', async () => {
  const price = { amount: 1200 };
  const lines = () => [{ name: 'Tea', amount: price.amount, quantity: 1 }];
  const shop = openShop({ order: () => ({ createdAt: 1, currency: 'usd', lines: lines() }) });
  const { orders, sandbox, payments, deliver } = shop;
  const late = await shop.pageOf();
  price.amount = 1000;
  sandbox.pay((await shop.pageOf()).session);
  price.amount = 500;
  await orders.refresh('order-1');
  await fail(shop, 'extra');
  await orders.refund('order-1', { ...back, amount: 200 });
  const { payments: known } = await orders.get('order-1');
  const payment_intent_id = known.find(({ status }) => status === 'paid')?.intent as `pi_${string}`;
  await payments.refunds.create({ payment_intent_id, amount: 800 }, { operationId: 'panel' });
  await deliver('refund.created');
  sandbox.pay(late.session);
  await orders.refresh('order-1');
  const { paid, refunding } = await orders.get('order-1');
  expect(paid.amount - refunding.amount).toBe(300);
});

it('repeats a return as it began, though its retry covered less', async () => {
  const shop = openShop();
  const { orders, payments, deliver } = shop;
  await shop.pay();
  await orders.refund('order-1', back);
  await fail(shop, 'return');
  const [payment] = (await orders.get('order-1')).payments;
  const payment_intent_id = payment?.intent as `pi_${string}`;
  await payments.refunds.create({ payment_intent_id, amount: 300 }, { operationId: 'panel' });
  await deliver('refund.created');
  await orders.retryRefund('order-1', 'return-1');
  expect(await refundsOf(shop)).toContain('return pending 900');
  expect(sumsOf(await orders.refund('order-1', back))).toMatchObject({ refunding: 1200 });
  expect(await codeOf(orders.refund('order-1', { ...back, amount: 900 }))).toBe('ORDER_REFUND_REFUSED');
});

it('a restored record takes no refund of one return for that of another', async () => {
  const shop = openShop();
  const { orders, store, payments, deliver } = shop;
  await shop.pay();
  const key = 'orders:tea-shop-test/order/order-1@1';
  const backup = await store.load(key);
  await orders.refund('order-1', { ...back, amount: 500 });
  const present = await store.load(key);
  await store.save(key, present?.version ?? 0, backup?.data ?? '', { references: [], wakeAt: null });
  await orders.refund('order-1', { ...back, id: 'return-2', amount: 500 });
  const made = await payments.refunds.list().toArray({ max: 9 });
  expect(made.map(({ amount }) => amount)).toEqual([500, 500]);
  await deliver('refund.created', made.at(-1)?.id);
  expect(await needsOf(shop)).toEqual(['refunded_elsewhere 500']);
});
