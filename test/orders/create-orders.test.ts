/** The options, the rows that a shop returns, and which orders are one. */

import { createOrders, type OrderRow } from 'payments-client/orders';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { codeOf, openShop } from './shop.ts';

const row: OrderRow = { createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity: 1 }] };

it.each([
  ['payments', {}],
  ['store', {}],
  ['account', ''],
  ['account', 'tea shop'],
  ['account', 'a'.repeat(65)],
  ['order', 'SELECT'],
  ['onPaid', undefined],
  ['page', 'https://shop.example'],
  ['saleCurrency', 'dollar'],
  ['onUnknown', true],
  ['now', 1],
  ['clock', 1],
])('refuses a wrong option %s', (name, value) => {
  expect(() => openShop({ [name]: value })).toThrow(new RegExp(`^createOrders\\.${name}: `));
});

it.each([
  ['', /^id: expected/],
  [' ', /^id: expected/],
  ['a'.repeat(201), /^id: expected/],
  ['a\0', /^id: expected/],
  ['a\uD800', /^id: expected/],
  [1042, /^id: expected/],
])('refuses %j as the id of an order', async (id, message) => {
  const { orders, sent } = openShop();
  await expect(orders.checkout(id as string)).rejects.toThrow(message);
  await expect(orders.get(id as string)).rejects.toThrow(message);
  expect(sent()).toEqual([]);
});

it.each(['a'.repeat(200), '..', 'a/b@c', '🍵', '4111111111111111', 'a%2Fb', ' x '])(
  'keeps an order with the id %j',
  async (id) => {
    const { orders, sandbox, shipped } = openShop();
    const page = await orders.checkout(id);
    sandbox.pay(page.state === 'open' ? page.session : '');
    expect(await orders.refresh(id)).toMatchObject({ id, state: 'paid' });
    expect(shipped).toEqual([`${id} for 1200 USD`]);
  },
);

it.each([
  ['id', 4.5],
  ['id', { id: 'order-1' }],
  ['createdAt', Number.NaN],
  ['createdAt', ''],
  ['createdAt', '1@2'],
  ['createdAt', '1'.repeat(65)],
  ['createdAt', '1é'],
  ['createdAt', new Date('never')],
  ['createdAt', undefined],
  ['currency', 'us'],
  ['currency', 840],
  ['lines', undefined],
  ['lines[0].name', [{ name: '', amount: 1, quantity: 1 }]],
  ['lines[0].amount', [{ name: 'Tea', amount: -1, quantity: 1 }]],
  ['lines[0].amount', [{ name: 'Tea', amount: '12.00', quantity: 1 }]],
  ['lines[0].quantity', [{ name: 'Tea', amount: 1, quantity: 0 }]],
  ['lines', [{ name: 'Tea', amount: Number.MAX_SAFE_INTEGER, quantity: 2 }]],
])('refuses a row with a wrong %s', async (path, value) => {
  const [field = ''] = path.split('[');
  const { orders, sent } = openShop({ order: () => ({ ...row, [field]: value }) });
  await expect(orders.checkout('order-1')).rejects.toThrow(`order().${path}: expected`);
  expect(sent()).toEqual([]);
});

it.each([undefined, null])('says that there is no order when its row is %s', async (missing) => {
  const { orders, sent } = openShop({ order: () => missing as undefined });
  const calls = [
    orders.checkout('order-1'),
    orders.charge('order-1', 'pm_1'),
    orders.sell('order-1', { payment_token: 'token' }),
    orders.capture('order-1'),
    orders.refund('order-1', { id: 'return-1', amount: 1, currency: 'USD' }),
    orders.retryRefund('order-1', 'return-1'),
    orders.cancel('order-1'),
    orders.get('order-1'),
    orders.refresh('order-1'),
    orders.resolve('order-1', 'operation', null),
  ];
  expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'ORDER_NOT_FOUND'));
  expect(sent()).toEqual([]);
});

it.each([42, 42n, '42'])('knows an order by one spelling of its id: %s', async (id) => {
  const { orders, sent } = openShop({ order: () => ({ ...row, id }) });
  expect(await codeOf(orders.checkout('0042'))).toBe('ORDER_NOT_FOUND');
  expect(sent()).toEqual([]);
  expect((await orders.get('42')).id).toBe('42');
});

it.each(['capture', 'checkout'] as const)(
  'refuses a second argument of %s, such as an amount',
  async (call) => {
    const { orders, sent } = openShop();
    const ask: (id: string, more: object) => Promise<unknown> = orders[call];
    await expect(ask('order-1', { amount: 500 })).rejects.toThrow(
      `${call}: expected the id of the order alone`,
    );
    expect(sent()).toEqual([]);
  },
);

it('passes on what order() throws', async () => {
  const { orders } = openShop({ order: () => Promise.reject(new Error('no database')) });
  await expect(orders.get('order-1')).rejects.toThrow('no database');
});

it.each([
  [new Date(5), new Date(5), new Date(6)],
  [5, 5, 6],
  ['2026-01-01', '2026-01-01', '2026-01-02'],
])('takes a row with another time of creation for another order: %s', async (createdAt, same, other) => {
  const shop = openShop();
  const { row: own, orders } = shop;
  own.createdAt = createdAt;
  await orders.cancel('order-1');
  own.createdAt = same;
  expect((await orders.get('order-1')).state).toBe('canceled');
  own.createdAt = other;
  expect((await orders.get('order-1')).state).toBe('unpaid');
});

it('keeps the orders of two accounts in one store apart', async () => {
  const store = memoryStore();
  const first = openShop({ store, account: 'first' });
  const second = openShop({ store, account: 'second' });
  const { session } = await first.pageOf();
  expect(await second.orders.get('order-1')).toMatchObject({ state: 'unpaid', payments: [] });
  first.sandbox.pay(session);
  const other = createOrders({
    payments: first.payments,
    store,
    account: 'second',
    order: () => row,
    onPaid: () => undefined,
    page: String,
  });
  const event = first.sandbox.events.find(({ type }) => type === 'checkout.session.completed');
  const delivery = other.on['checkout.session.completed'](event as never);
  expect(await codeOf(delivery)).toBe('ORDER_UNKNOWN_PAYMENT');
  await second.sandbox.clock.advance('1 day');
  second.sent();
  await second.orders.resume();
  expect(second.sent()).toEqual([]);
});

it('never gives an order that is recorded anew the result of the former record', async () => {
  const { payments, sandbox, pageOf } = openShop();
  const first = await pageOf();
  const again = openShop({ payments, now: sandbox.clock.now });
  const second = await again.pageOf();
  expect(second.session).not.toBe(first.session);
});

it('takes the currency of a row in either case, and needs no customer', async () => {
  const { payments, row: own, pageOf } = openShop();
  const first = await pageOf();
  own.currency = 'USD';
  own.customer = null;
  expect((await pageOf()).session).toBe(first.session);
  expect((await payments.checkoutSessions.retrieve(first.session)).customer).toBeNull();
});

it.each([
  ['charge', { capture: 'later' }, /^charge\.capture: expected/],
  ['charge', { due: 12 }, /^charge\.due: expected/],
  ['sell', { due: { amount: -1, currency: 'USD' } }, /^sell\.due\.amount: expected/],
  ['sell', { amount: 12 }, /^sell\.amount: /],
] as const)('refuses wrong options of %s: %j', async (method, options, message) => {
  const { orders, sent } = openShop();
  const call =
    method === 'charge'
      ? orders.charge('order-1', 'pm_1', options as never)
      : orders.sell('order-1', { payment_token: 'token' }, options as never);
  await expect(call).rejects.toThrow(message);
  expect(sent()).toEqual([]);
});

it.each([undefined, '', 7])('refuses %j as what a person found', async (found) => {
  const { orders } = openShop();
  await expect(orders.resolve('order-1', 'operation', found as string)).rejects.toThrow(
    /^resolve\.found: expected/,
  );
});
