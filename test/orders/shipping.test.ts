/** When an order ships, and what `onPaid` gets: with other processes at the same order, and rows that change in between. */

import { DatabaseSync } from 'node:sqlite';
import { createOrders, type OrderRow } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';
import { createTestClient } from 'payments-client-sandbox/testing';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { all, codeOf, openBrokenShop, openShop, sumsOf } from './shop.ts';

const tea = (changes: Partial<OrderRow> = {}): OrderRow => ({
  createdAt: 1,
  currency: 'usd',
  lines: [{ name: 'Tea', amount: 1200, quantity: 1 }],
  ...changes,
});

/** A shop whose row is read after what another process does, once. */
function interrupted() {
  const other = { act: async (): Promise<unknown> => undefined };
  const shop = openShop({
    order: async () => {
      const { act } = other;
      other.act = async () => undefined;
      await act();
      return tea();
    },
  });
  return { ...shop, other };
}

it('does not ship again what another process ships while its row is read', async () => {
  const { orders, other, pageOf, sandbox, deliver, shipped } = interrupted();
  sandbox.pay((await pageOf()).session);
  other.act = () => orders.refresh('order-1');
  await deliver('checkout.session.completed');
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('does not ship what is canceled while its row is read', async () => {
  const { orders, other, pageOf, sandbox, deliver, shipped } = interrupted();
  sandbox.pay((await pageOf()).session);
  other.act = () => orders.cancel('order-1');
  await deliver('checkout.session.completed');
  expect(shipped).toEqual([]);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ state: 'canceled', refunding: 1200 });
});

it.each([
  ['none', undefined],
  ['that of another order with its id', tea({ createdAt: 2 })],
] as const)('waits for the row of a paid order without a transaction; its row is %s', async (_got, other) => {
  let row: OrderRow | undefined = tea();
  let isBroken = true;
  const shipped: string[] = [];
  const { orders, pay } = openShop({
    order: () => row,
    onPaid: ({ id }) => {
      if (isBroken) throw new Error('no stock');
      shipped.push(id);
    },
  });
  await expect(pay()).rejects.toThrow('no stock');
  isBroken = false;
  row = other;
  const paid = { id: 'order-1', createdAt: '1' };
  expect((await orders.refresh(paid)).needs).toMatchObject([{ kind: 'row_missing' }]);
  expect(await all(orders.needs())).toMatchObject([{ id: 'order-1', needs: [{ kind: 'row_missing' }] }]);
  row = tea();
  await orders.refresh(paid);
  expect([shipped, await all(orders.needs())]).toEqual([['order-1'], []]);
});

/** Pays an order of a database that `onPaid` changes so. */
async function payInSqlite(changeRow: () => OrderRow | undefined) {
  const { payments, sandbox } = createTestClient();
  let row: OrderRow | undefined = tea();
  const paid: unknown[] = [];
  const orders = createOrders({
    payments,
    store: sqliteStore(new DatabaseSync(':memory:')),
    account: 'tea-shop-test',
    page: (id) => `https://shop.example/orders/${id}`,
    order: () => row,
    onPaid: (order) => {
      paid.push(order);
      row = changeRow();
    },
    now: sandbox.clock.now,
  });
  const page = await orders.checkout('order-1');
  sandbox.pay(page.state === 'open' ? page.session : '');
  return { orders, paid };
}

it.each([
  ['edits no amount', tea({ lines: [{ name: 'Sold', amount: 600, quantity: 2 }] })],
  ['archives', undefined],
  ['issues the id again', tea({ createdAt: 2, lines: [{ name: 'Cup', amount: 900, quantity: 1 }] })],
])('ships an order whose row onPaid changes: it %s', async (_name, row) => {
  const { orders, paid } = await payInSqlite(() => row);
  await orders.refresh('order-1');
  expect((await orders.get({ id: 'order-1', createdAt: '1' })).state).toBe('paid');
  expect(paid).toEqual([{ id: 'order-1', total: { amount: 1200, currency: 'USD' } }]);
});

it.each([tea({ currency: 'eur' }), tea({ lines: [{ name: 'Tea', amount: 1300, quantity: 1 }] })])(
  'ships nothing when the row was edited until onPaid changed it: %j',
  async (row) => {
    const { orders } = await payInSqlite(() => row);
    await expect(orders.refresh('order-1')).rejects.toMatchObject({
      code: 'ORDER_CHANGED',
      message: 'order order-1: expected its row as it was paid for, got an edited one. Call again.',
      outcome: 'unknown',
      retryable: true,
    });
    expect((await orders.get('order-1')).state).toBe('part_paid');
  },
);

it('refuses a promise of onPaid with SQLite, and leaves none unhandled', async () => {
  const { payments, sandbox } = createTestClient();
  const orders = createOrders({
    payments,
    store: sqliteStore(new DatabaseSync(':memory:')),
    account: 'tea-shop-test',
    page: (id) => `https://shop.example/orders/${id}`,
    order: () => tea({ lines: [{ name: 'Tea', amount: 0, quantity: 1 }] }),
    onPaid: anything(() => Promise.reject(new Error('no stock'))),
    now: sandbox.clock.now,
  });
  await expect(orders.checkout('order-1')).rejects.toThrow('expected no promise');
  expect((await orders.get('order-1')).state).toBe('unpaid');
});

it('takes a query builder as a row, and says that a failed one did not ship', async () => {
  let error: Error | undefined;
  const builder = () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- a query builder is one
    then: (done: (row: OrderRow) => void, fail: (error: Error) => void) =>
      error === undefined ? done(tea()) : fail(error),
  });
  const { orders, pageOf, sandbox, deliver, shipped } = openShop({ order: anything(builder) });
  sandbox.pay((await pageOf()).session);
  error = new RangeError('no connection');
  expect(await codeOf(deliver('checkout.session.completed'))).toBe('RangeError');
  error = undefined;
  expect((await orders.get('order-1')).needs).toMatchObject([{ kind: 'not_shipped', detail: 'RangeError' }]);
  await orders.refresh('order-1');
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

/** A shop whose `onPaid` failed when its page of one cup was paid with a tip of 0.50, and what it shipped since. */
async function paidAndUnshipped() {
  const shop = openBrokenShop();
  const { session } = await shop.pageOf();
  shop.sandbox.update('checkout_session', session, { amount_total: 1250 });
  shop.sandbox.pay(session);
  await codeOf(shop.orders.refresh('order-1'));
  return shop;
}

it('asks for the rest of an order that was edited before it shipped', async () => {
  const { row, mend, orders, sandbox, pageOf, shipped } = await paidAndUnshipped();
  row.cups = 2;
  mend();
  await orders.refresh('order-1');
  expect(shipped).toEqual([]);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ state: 'part_paid', total: 2400, due: 1200 });
  sandbox.pay((await pageOf()).session);
  await orders.refresh('order-1');
  expect(shipped).toEqual(['order-1']);
});

it('does not ship for a tip alone', async () => {
  const { mend, orders, sandbox, shipped } = await paidAndUnshipped();
  const returned = { id: 'return-1', amount: 1200, currency: 'usd' };
  await orders.refund('order-1', returned).catch(() => {});
  mend();
  await sandbox.clock.advance('1 h');
  await orders.resume();
  expect(shipped).toEqual([]);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunding: 1200, added: 50, refundable: 50 });
});

it('does not ship what was only looked at', async () => {
  const shop = openShop({ order: () => tea({ lines: [{ name: 'Tea', amount: 0, quantity: 1 }] }) });
  const { orders, sandbox, shipped } = shop;
  expect(sumsOf(await orders.get('order-1'))).toEqual({ state: 'unpaid' });
  await sandbox.clock.advance('1 h');
  await orders.resume();
  expect(shipped).toEqual([]);
  await orders.refresh('order-1');
  expect(shipped).toEqual(['order-1 for 0 USD']);
});

it('asks for the rest at once, and cancels at once, after an edit of an order that has not shipped', async () => {
  const { row, orders, pageOf } = await paidAndUnshipped();
  row.cups = 2;
  expect((await pageOf()).due.amount).toBe(1200);
  expect((await orders.cancel('order-1')).state).toBe('canceled');
});

it('has shipped for what was paid, though its row was edited after a minute of onPaid', async () => {
  let end = () => {};
  const ends = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begin = () => {};
  const begins = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const shop = openShop({
    onPaid: () => {
      begin();
      return ends;
    },
  });
  const { orders, row, sandbox, restart, pageOf } = shop;
  sandbox.pay((await pageOf()).session);
  const slow = orders.refresh('order-1');
  await begins;
  const other = restart();
  row.cups = 2;
  expect((await other.get('order-1')).state).toBe('paid');
  await sandbox.clock.advance('2 minutes');
  expect((await other.get('order-1')).state).toBe('part_paid');
  end();
  await slow;
  expect(sumsOf(await other.cancel('order-1'))).toMatchObject({
    state: 'paid',
    total: 1200,
    refundable: 1200,
  });
});
