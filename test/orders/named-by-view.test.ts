/** An order whose row is gone, or whose id was issued again, is named by a view of it. */

import type { OrderName } from 'payments-client/orders';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { all, codeOf, openShop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const returned = { id: 'return-1', amount: 500, currency: 'USD' };

/** A shop whose rows can be lost. */
function shopOfRows() {
  const rows = new Map([['order-1', { createdAt: 1, quantity: 1 }]]);
  const shop = openShop({
    order: (id) => {
      const row = rows.get(id);
      if (row === undefined) return undefined;
      const lines = [{ name: 'Tea', amount: 1200, quantity: row.quantity }];
      return { createdAt: row.createdAt, currency: 'usd', lines };
    },
  });
  return { ...shop, rows };
}

it('says of which row it is', async () => {
  const { orders, row } = openShop();
  expect(await orders.get('order-1')).toMatchObject({ id: 'order-1', createdAt: '1' });
  row.createdAt = new Date('2026-11-29T10:00:00.250Z');
  expect((await orders.get('order-1')).createdAt).toBe('2026-11-29T10:00:00.250Z');
});

it('cancels an order whose row is gone', async () => {
  const { orders, rows, sandbox } = shopOfRows();
  const page = await orders.checkout('order-1');
  rows.delete('order-1');
  sandbox.pay(page.state === 'open' ? page.session : '');
  await orders.resume();
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  const [lost] = await all(orders.needs());
  expect(lost?.needs).toMatchObject([{ kind: 'row_missing' }]);
  expect(await codeOf(orders.cancel('order-1'))).toBe('ORDER_NOT_FOUND');
  const view = await orders.cancel(lost ?? '');
  expect([sumsOf(view), view.needs]).toEqual([
    { state: 'canceled', total: 1200, paid: 1200, refunding: 1200 },
    [],
  ]);
  expect(await all(orders.needs())).toEqual([]);
});

it('resolves what an archived order needs, and gives its money back', async () => {
  const { orders, rows, sandbox, deliver, shipped } = shopOfRows();
  await orders.sell('order-1', card);
  rows.delete('order-1');
  sandbox.trigger('chargeback.received', { chargeback_id: 'cb_1', amount: '2.00' });
  await deliver('chargeback.received');
  const [archived] = await all(orders.needs());
  if (archived === undefined) throw new Error('Expected a need.');
  expect((await orders.resolve(archived, 'cb_1', null)).needs).toEqual([]);
  expect((await orders.refund(archived, returned)).refundable.amount).toBe(700);
  expect(sumsOf(await orders.refresh(archived))).toMatchObject({ state: 'paid', refunded: 500 });
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('retries a refund of an archived order', async () => {
  const { orders, rows, sandbox, pay } = shopOfRows();
  await pay();
  rows.delete('order-1');
  const paid = await orders.get({ id: 'order-1', createdAt: '1' });
  sandbox.faults.inject({ kind: 'respond', status: 422, body: { error: { code: 'NO' } } });
  await orders.refund(paid, returned);
  expect((await orders.retryRefund(paid, 'return-1')).refunding.amount).toBe(500);
});

it('finds both orders of an id that was issued again', async () => {
  const { orders, rows, pay } = shopOfRows();
  await pay();
  const old = await orders.get('order-1');
  rows.set('order-1', { createdAt: 2, quantity: 3 });
  expect(sumsOf(await orders.get('order-1'))).toEqual({ state: 'unpaid', total: 3600, due: 3600 });
  expect(sumsOf(await orders.get(old))).toMatchObject({ state: 'paid', total: 1200 });
  expect((await orders.refund(old, returned)).refunding.amount).toBe(500);
  expect((await orders.get('order-1')).refunds).toEqual([]);
  expect((await orders.cancel(old)).state).toBe('paid');
});

it('asks no price of another order with its id', async () => {
  const { orders, rows, sandbox } = shopOfRows();
  const page = await orders.checkout('order-1');
  const old = await orders.get('order-1');
  rows.set('order-1', { createdAt: 2, quantity: 3 });
  expect(sumsOf(await orders.get(old))).toEqual({ state: 'unpaid', total: 1200, due: 1200 });
  sandbox.pay(page.state === 'open' ? page.session : '');
  expect((await orders.refresh(old)).needs).toMatchObject([{ kind: 'row_missing', money: { amount: 1200 } }]);
});

it('still reads the row that a view names', async () => {
  const { orders, rows } = shopOfRows();
  const before = await orders.get('order-1');
  rows.set('order-1', { createdAt: 1, quantity: 2 });
  expect((await orders.get(before)).total.amount).toBe(2400);
});

it.each<[string, unknown, string]>([
  ['a view of which nothing is recorded', { id: 'order-1', createdAt: '7' }, 'ORDER_NOT_FOUND'],
  ['a view without a time', { id: 'order-1' }, 'INVALID_CONFIGURATION'],
  ['a time with @', { id: 'order-1', createdAt: '1@2' }, 'INVALID_CONFIGURATION'],
  ['a time that is a Date', { id: 'order-1', createdAt: new Date(1) }, 'INVALID_CONFIGURATION'],
  ['an empty id', { id: '', createdAt: '1' }, 'INVALID_CONFIGURATION'],
  ['a number', 7, 'INVALID_CONFIGURATION'],
])('refuses %s', async (_name, order, code) => {
  const { orders, sent } = openShop();
  const name: OrderName = anything(order);
  expect(await codeOf(orders.get(name))).toBe(code);
  expect(await codeOf(orders.refresh(name))).toBe(code);
  expect(await codeOf(orders.cancel(name))).toBe(code);
  expect(await codeOf(orders.refund(name, returned))).toBe(code);
  expect(await codeOf(orders.retryRefund(name, 'return-1'))).toBe(code);
  expect(await codeOf(orders.resolve(name, 'x', null))).toBe(code);
  expect(sent()).toEqual([]);
});
