/** What a need for a failed refund asks for, and what an answer to it says: that much, of the payments that still have it. */

import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { codeOf, openBrokenShop, openShop, type Shop, sumsOf } from './shop.ts';

const usd = (amount: number, id: string) => ({ id, amount, currency: 'USD' });

/** The bank refuses the newest refund that is pending, or all of them. */
async function failRefunds({ sandbox, payments, orders }: Shop, all = false): Promise<void> {
  const refunds = await payments.refunds.list().toArray({ max: 9 });
  const pending = refunds.filter(({ status }) => status === 'pending');
  for (const { id } of pending.slice(0, all ? 9 : 1)) sandbox.update('refund', id, { status: 'failed' });
  await orders.refresh('order-1').catch(() => {});
}

/** The needs of the order, but for why it has not shipped. */
async function needsOf({ orders }: Shop) {
  const { needs } = await orders.get('order-1');
  return needs.filter(({ kind }) => kind !== 'not_shipped');
}

const textsOf = async (shop: Shop) =>
  (await needsOf(shop)).map(({ kind, money }) => `${kind} ${money.amount}`);

async function pay(shop: Shop, session: string): Promise<void> {
  shop.sandbox.pay(session);
  await shop.orders.refresh('order-1').catch(() => {});
}

async function pageFor(shop: Shop, cups: number): Promise<string> {
  shop.row.cups = cups;
  return (await shop.pageOf()).session;
}

/** The bank takes 6.00 of a payment back. */
async function dispute({ orders }: Shop, index: number): Promise<void> {
  const { payments } = await orders.get('order-1');
  const notice = { chargeback_id: 'cb_1', transaction_id: payments[index]?.reference, amount: '6.00' };
  const object = { ...notice, reason_code: '10.4', reason: 'fraud', due_date: '2030-01-02' };
  await orders.on['chargeback.received'](anything({ type: 'chargeback.received', data: { object } }));
}

/** A return of 5.00 failed. Then another tab was paid, so that the payment of the return went back as too much. */
async function returnOfAnother() {
  const shop = openShop();
  const pages = [await pageFor(shop, 1), await pageFor(shop, 2), await pageFor(shop, 1)];
  await pay(shop, pages[2] ?? '');
  await shop.orders.refund('order-1', usd(500, 'return-1'));
  await failRefunds(shop);
  await pay(shop, pages[0] ?? '');
  const [need, ...others] = await needsOf(shop);
  expect([need?.reference, need?.money.amount, others]).toEqual([pages[0], 500, []]);
  return { ...shop, operation: need?.operation ?? '' };
}

it('an answer is booked on the payment that still has the money: cash', async () => {
  const { orders, operation } = await returnOfAnother();
  const view = await orders.resolve('order-1', operation, 'cash-1');
  expect(sumsOf(view)).toMatchObject({ refunded: 500, refunding: 1200, refundable: 700 });
  expect(view.needs).toEqual([]);
  expect(await codeOf(orders.refund('order-1', usd(1200, 'return-2')))).toBe('ORDER_REFUND_REFUSED');
});

it('an answer is booked on the payment that still has the money: a refund of the panel', async () => {
  const { orders, payments, operation } = await returnOfAnother();
  const intent = (await orders.get('order-1')).payments[0]?.intent as `pi_${string}`;
  const made = await payments.refunds.create(
    { payment_intent_id: intent, amount: 500 },
    { operationId: 'panel' },
  );
  const view = await orders.resolve('order-1', operation, made.id);
  expect(sumsOf(view)).toMatchObject({ refunding: 1700, refundable: 700 });
  expect(view.needs).toEqual([]);
});

it.each(['return', 'extra'])(
  'an answer says nothing of what a chargeback holds: a failed %s',
  async (why) => {
    const shop = openShop();
    const { orders } = shop;
    const pages = [await pageFor(shop, 1), await pageFor(shop, 2), await pageFor(shop, 1)];
    await pay(shop, pages[0] ?? '');
    if (why === 'extra') await pay(shop, pages[2] ?? '');
    else await orders.refund('order-1', usd(1200, 'return-1'));
    await failRefunds(shop);
    await dispute(shop, why === 'extra' ? 2 : 0);
    const [need] = await needsOf(shop);
    expect(need?.money.amount).toBe(600);
    await orders.resolve('order-1', need?.operation ?? '', 'cash-1');
    expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunded: 600 });
    await orders.resolve('order-1', 'cb_1', null);
    expect(await textsOf(shop)).toEqual(['refund_failed 600']);
  },
);

it('a smaller refund leaves the rest open', async () => {
  const shop = openShop();
  const { orders, payments } = shop;
  await shop.pay();
  await orders.refund('order-1', usd(1200, 'return-1'));
  await failRefunds(shop);
  const [need] = await needsOf(shop);
  const intent = (await orders.get('order-1')).payments[0]?.intent as `pi_${string}`;
  const made = await payments.refunds.create(
    { payment_intent_id: intent, amount: 500 },
    { operationId: 'panel' },
  );
  await orders.resolve('order-1', need?.operation ?? '', made.id);
  expect(await textsOf(shop)).toEqual(['refund_failed 700']);
});

it.each([
  [500, 1200],
  [1200, 1000],
])(
  'a failed return of %d stays owed of another payment, when a later one of %d uses its own',
  async (one, other) => {
    const shop = openShop();
    const { orders } = shop;
    const first = await pageFor(shop, 1);
    shop.row.cups = 2;
    await pay(shop, first);
    await shop.pay();
    await orders.refund('order-1', usd(one, 'socks'));
    await failRefunds(shop);
    await orders.refund('order-1', usd(other, 'shoes'));
    expect(await textsOf(shop)).toEqual([`refund_failed ${one}`]);
    await orders.retryRefund('order-1', 'socks');
    expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunding: one + other });
    expect(await textsOf(shop)).toEqual([]);
  },
);

it('several failed refunds of too much ask for it once', async () => {
  const shop = openShop();
  const pages: string[] = [];
  for (const cups of [1, 2, 1, 3, 1]) pages.push(await pageFor(shop, cups));
  for (const index of [0, 2, 4]) await pay(shop, pages[index] ?? '');
  await failRefunds(shop, true);
  expect(await textsOf(shop)).toEqual(['refund_failed 1200', 'refund_failed 1200']);
  await dispute(shop, 0);
  const needs = await needsOf(shop);
  const owed = needs.filter(({ kind }) => kind === 'refund_failed');
  expect(owed.reduce((total, { money }) => total + money.amount, 0)).toBe(1800);
});

/** An order of three cups that was edited to one before it shipped, and whose refund failed. */
async function editedAndFailed() {
  const shop = openBrokenShop();
  const session = await pageFor(shop, 3);
  shop.row.cups = 1;
  await pay(shop, session);
  await failRefunds(shop);
  return shop;
}

it('what a person keeps of an order that was edited before it shipped counts for the new row', async () => {
  const shop = await editedAndFailed();
  const { orders, row } = shop;
  const [need] = await needsOf(shop);
  await orders.resolve('order-1', need?.operation ?? '', null).catch(() => {});
  expect(await textsOf(shop)).toEqual([]);
  row.cups = 4;
  await orders.refresh('order-1').catch(() => {});
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ state: 'part_paid', due: 1200 });
  await orders.cancel('order-1');
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ state: 'canceled', refunding: 3600 });
});

it('an answer is about what the need asked for, after an edit', async () => {
  const shop = await editedAndFailed();
  const { orders, row } = shop;
  row.cups = 2;
  await orders.refresh('order-1').catch(() => {});
  const [need] = await needsOf(shop);
  expect(need?.money.amount).toBe(1200);
  await orders.resolve('order-1', need?.operation ?? '', 'cash-1').catch(() => {});
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunded: 1200, refundable: 2400 });
  row.cups = 3;
  await orders.refresh('order-1').catch(() => {});
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ due: 1200 });
});
