/** `onPaid` in PostgreSQL: in the transaction of the record, and exactly once. */

import { createOrders, type OrderRow } from 'payments-client/orders';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import { createTestClient } from 'payments-client-sandbox/testing';
import { expect, it } from 'vitest';
import { emptyPglite } from '../support/pglite.ts';
import { codeOf } from './shop.ts';

async function openShop() {
  const { payments, sandbox } = createTestClient();
  const database = await emptyPglite();
  const store = postgresStore(database);
  await store.migrate();
  await database.exec(
    `CREATE TABLE orders (id text, cups int, shipped int DEFAULT 0); INSERT INTO orders (id, cups) VALUES ('order-1', 1)`,
  );
  const shop = { during: async (_client: PostgresClient): Promise<void> => undefined };
  const readers: PostgresClient[] = [];
  const orders = createOrders({
    payments,
    store,
    account: 'tea-shop-test',
    page: (id) => `https://shop.example/orders/${id}`,
    order: async (id, client): Promise<OrderRow | undefined> => {
      readers.push(client);
      const { rows } = await client.query('SELECT cups FROM orders WHERE id = $1', [id]);
      const [row] = rows;
      if (row === undefined) return undefined;
      const quantity = Number(Reflect.get(Object(row), 'cups'));
      return { createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity }] };
    },
    onPaid: async ({ id }, client) => {
      await client.query('UPDATE orders SET shipped = shipped + 1 WHERE id = $1', [id]);
      await shop.during(client);
    },
    now: sandbox.clock.now,
  });
  const pay = async () => {
    const page = await orders.checkout('order-1');
    sandbox.pay(page.state === 'open' ? page.session : '');
    await orders.refresh('order-1');
  };
  const shipped = async () => {
    const { rows } = await database.query('SELECT shipped FROM orders');
    return Reflect.get(Object(rows[0]), 'shipped');
  };
  return Object.assign(shop, { orders, pay, shipped, readers, database });
}

it('ships once, in the transaction in which the row is read', async () => {
  const { orders, pay, shipped, readers, database } = await openShop();
  await pay();
  await Promise.all([orders.refresh('order-1'), orders.resume(), orders.checkout('order-1')]);
  expect(await shipped()).toBe(1);
  expect([readers[0] === database, readers.at(-1) === database]).toEqual([true, true]);
  expect(readers.some((client) => client !== database)).toBe(true);
});

it('rolls back what a failed onPaid did, and runs it again', async () => {
  const shop = await openShop();
  shop.during = () => Promise.reject(new RangeError('no stock'));
  await expect(shop.pay()).rejects.toThrow('no stock');
  expect(await shop.shipped()).toBe(0);
  expect((await shop.orders.get('order-1')).needs).toMatchObject([
    { kind: 'not_shipped', detail: 'RangeError' },
  ]);
  shop.during = async () => undefined;
  expect(await shop.orders.resume()).toEqual([]);
  expect(await shop.shipped()).toBe(1);
});

it('rolls back when the row was edited until onPaid changed it', async () => {
  const shop = await openShop();
  shop.during = async (client) => {
    await client.query('UPDATE orders SET cups = 2', []);
  };
  expect(await codeOf(shop.pay())).toBe('ORDER_CHANGED');
  expect(await shop.shipped()).toBe(0);
  shop.during = async () => undefined;
  await shop.orders.refresh('order-1');
  expect(await shop.shipped()).toBe(1);
});
