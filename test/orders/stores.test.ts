/** How often `onPaid` runs, what it and `order` get, and what other processes may do in between. */

import { DatabaseSync } from 'node:sqlite';
import { createOrders, type OrderRow } from 'payments-client/orders';
import { memoryStore, sqliteStore } from 'payments-client/stores';
import { createTestClient } from 'payments-client-sandbox/testing';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { gatedStore } from './gated-store.ts';
import { codeOf, openShop } from './shop.ts';

it('changes an order again that another process has changed meanwhile', async () => {
  const { store, gate } = gatedStore();
  const { orders, pay, shipped } = openShop({ store });
  let saves = 0;
  await orders.refresh('order-1');
  gate.beforeSave = async () => {
    saves += 1;
    return saves % 2 === 0;
  };
  await pay();
  await orders.refund('order-1', { id: 'return-1', amount: 500, currency: 'USD' });
  expect(await orders.get('order-1')).toMatchObject({ state: 'paid', refunding: { amount: 500 } });
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('gives up after fifty lost changes, and may be called again', async () => {
  const { store, gate } = gatedStore();
  const { orders } = openShop({ store });
  await orders.get('order-1');
  let saves = 0;
  gate.beforeSave = async () => {
    saves += 1;
    return false;
  };
  await expect(orders.cancel('order-1')).rejects.toMatchObject({ code: 'ORDER_CHANGED', retryable: true });
  expect(saves).toBe(50);
});

it.each([1, 2, 3, 4, 5, 6])(
  'asks for the amount and the currency of one row, edited before read %d',
  async (step) => {
    const { store, gate } = gatedStore();
    const { orders, row, sandbox } = openShop({ store });
    await orders.get('order-1');
    let reads = 0;
    gate.beforeLoad = async () => {
      reads += 1;
      if (reads !== step) return;
      Object.assign(row, { currency: 'jpy', cups: 2 });
      // As another process notes the edited row.
      await orders.get('order-1');
    };
    await orders.sell('order-1', { payment_token: 'token' }).catch(() => undefined);
    const { payments } = await orders.get('order-1');
    for (const { asked } of payments) expect(asked).toEqual({ amount: 1200, currency: 'USD' });
    for (const { amount } of sandbox.transactions) expect(amount).toBe('12.00');
  },
);

it('runs onPaid again after a crash in it, and not while another process runs it', async () => {
  const { store } = gatedStore();
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const dying = openShop({
    store,
    onPaid: () => {
      begin();
      return new Promise(() => undefined);
    },
  });
  const { payments, sandbox, pageOf } = dying;
  sandbox.pay((await pageOf()).session);
  void dying.orders.refresh('order-1');
  await begun;
  const other = openShop({ store, payments, now: sandbox.clock.now });
  await sandbox.clock.advance('59 s');
  expect((await other.orders.refresh('order-1')).state).toBe('paid');
  expect(other.shipped).toEqual([]);
  await sandbox.clock.advance('1 s');
  await other.orders.resume();
  expect(other.shipped).toEqual(['order-1 for 1200 USD']);
  await other.orders.refresh('order-1');
  expect(other.shipped).toHaveLength(1);
});

it('says that onPaid failed, by the class of the error alone, and tries it again', async () => {
  const thrown: unknown[] = [new TypeError('secret'), 'text'];
  const shipped: unknown[] = [];
  const { orders, pay } = openShop({
    onPaid: async ({ id }) => {
      if (thrown.length > 0) throw thrown.shift();
      shipped.push(id);
    },
  });
  await expect(pay()).rejects.toThrow('secret');
  const needs = async () => (await orders.get('order-1')).needs;
  const money = { amount: 1200, currency: 'USD' };
  const need = { kind: 'not_shipped', operation: null, reference: null, money };
  expect(await needs()).toEqual([{ ...need, detail: 'TypeError' }]);
  await expect(orders.checkout('order-1')).resolves.toEqual({ state: 'paid' });
  await expect(orders.refresh('order-1')).rejects.toBe('text');
  expect(await needs()).toEqual([{ ...need, detail: 'a value that is not an Error' }]);
  await orders.refresh('order-1');
  expect([await needs(), shipped]).toEqual([[], ['order-1']]);
});

/** A shop whose table of orders is in the database of its store. */
function openSqlite() {
  const { payments, sandbox } = createTestClient();
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE orders (id TEXT, cups INTEGER, shipped INTEGER DEFAULT 0) STRICT');
  database.exec("INSERT INTO orders (id, cups) VALUES ('order-1', 1)");
  const read = (column: string) => database.prepare(`SELECT ${column} AS value FROM orders`).get()?.['value'];
  const clients = new Set<unknown>();
  const shop = { during: (): unknown => undefined };
  const orders = createOrders({
    payments,
    store: sqliteStore(database),
    account: 'tea-shop-test',
    page: (id) => `https://shop.example/orders/${id}`,
    order: (id, client): OrderRow => {
      clients.add(client);
      const row = client.prepare('SELECT cups FROM orders WHERE id = ?').get(id);
      const quantity = Number(row?.['cups']);
      return { createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity }] };
    },
    onPaid: ({ id }, client) => {
      clients.add(client);
      client.prepare('UPDATE orders SET shipped = shipped + 1 WHERE id = ?').run(id);
      shop.during();
    },
    now: sandbox.clock.now,
  });
  const pay = async () => {
    const page = await orders.checkout('order-1');
    sandbox.pay(page.state === 'open' ? page.session : '');
    await orders.refresh('order-1');
  };
  return Object.assign(shop, { orders, pay, database, clients, shipped: () => read('shipped') });
}

it('gives order and onPaid the database of the store, and ships in the same transaction, once', async () => {
  const { orders, pay, database, clients, shipped } = openSqlite();
  await pay();
  await Promise.all([orders.refresh('order-1'), orders.resume(), orders.checkout('order-1')]);
  expect(shipped()).toBe(1);
  expect([...clients]).toEqual([database]);
});

it('rolls back what a failed onPaid did, and runs it again', async () => {
  const shop = openSqlite();
  shop.during = () => {
    throw new RangeError('no stock');
  };
  await expect(shop.pay()).rejects.toThrow('no stock');
  expect(shop.shipped()).toBe(0);
  expect(await shop.orders.get('order-1')).toMatchObject({
    state: 'in_progress',
    due: { amount: 0 },
    needs: [{ kind: 'not_shipped', detail: 'RangeError', money: { amount: 1200 } }],
  });
  shop.during = () => undefined;
  expect(await shop.orders.resume()).toEqual([]);
  expect(shop.shipped()).toBe(1);
  expect(await shop.orders.get('order-1')).toMatchObject({ state: 'paid', needs: [] });
});

it('rolls back when the row was edited until onPaid changed it', async () => {
  const shop = openSqlite();
  shop.during = () => shop.database.exec('UPDATE orders SET cups = 2');
  expect(await codeOf(shop.pay())).toBe('ORDER_CHANGED');
  expect(shop.shipped()).toBe(0);
  shop.during = () => undefined;
  await shop.orders.refresh('order-1');
  expect(shop.shipped()).toBe(1);
});

it('ships an order whose row onPaid deletes', async () => {
  const { payments, sandbox } = createTestClient();
  const database = new DatabaseSync(':memory:');
  let row: OrderRow | undefined = {
    createdAt: 1,
    currency: 'usd',
    lines: [{ name: 'Tea', amount: 0, quantity: 1 }],
  };
  let shipped = 0;
  const orders = createOrders({
    payments,
    store: sqliteStore(database),
    account: 'tea-shop-test',
    page: String,
    order: () => row,
    onPaid: () => {
      row = undefined;
      shipped += 1;
    },
    now: sandbox.clock.now,
  });
  expect(await orders.checkout('order-1')).toEqual({ state: 'paid' });
  expect(shipped).toBe(1);
});

it('gives neither order nor onPaid a client if the store has no transactions', async () => {
  const given: unknown[] = [];
  const { pay } = openShop({
    order: (...args) => {
      given.push(...args.slice(1));
      return { createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity: 1 }] };
    },
    onPaid: (...args) => void given.push(...args.slice(1)),
  });
  await pay();
  expect(given.filter((value) => value !== undefined)).toEqual([]);
});

it('runs a query builder that onPaid returns with a store that waits, and refuses it with SQLite', async () => {
  const { payments, sandbox } = createTestClient();
  const ran: string[] = [];
  // oxlint-disable-next-line unicorn/no-thenable -- a query builder is one
  const builder = () => ({ then: (done: (value: string) => void) => done(String(ran.push('ran'))) });
  const shop = { payments, page: (id: string) => `https://shop.example/${id}`, now: sandbox.clock.now };
  const order = () => ({ createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 0, quantity: 1 }] });
  const lazy = anything(builder);
  const inMemory = createOrders({ ...shop, store: memoryStore(), account: 'a', order, onPaid: lazy });
  expect((await inMemory.checkout('order-1')).state).toBe('paid');
  expect(ran).toEqual(['ran']);
  const store = sqliteStore(new DatabaseSync(':memory:'));
  const inSqlite = createOrders({ ...shop, store, account: 'a', order, onPaid: lazy });
  await expect(inSqlite.checkout('order-1')).rejects.toThrow('expected no promise');
  expect(ran).toEqual(['ran']);
  expect((await inSqlite.get('order-1')).state).toBe('unpaid');
});

it('refuses async functions with SQLite before it calls them', () => {
  const { payments } = createTestClient();
  const store = sqliteStore(new DatabaseSync(':memory:'));
  const shop = { payments, store, account: 'a', page: String, order: () => undefined };
  const start = () => createOrders(anything({ ...shop, onPaid: async () => undefined }));
  expect(start).toThrow('createOrders.onPaid: expected a function that is not async');
});
