/** What compiles: a page's address only where there is one, and what `order` and `onPaid` get and may return with each kind of store. */

import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { Redis as Ioredis } from 'ioredis';
import type { PaymentsClient } from 'payments-client';
import {
  type CardPayment,
  type Checkout,
  createOrders,
  type Need,
  type OrderRow,
  type Orders,
  type OrderView,
  type PaidOrder,
} from 'payments-client/orders';
import {
  memoryStore,
  type PostgresClient,
  postgresStore,
  redisStore,
  type SqliteDatabase,
  sqliteStore,
} from 'payments-client/stores';
import type { ReceiverOptions } from 'payments-client/webhooks';
import pg from 'pg';
import { expectTypeOf, test } from 'vitest';

declare const payments: PaymentsClient;
declare const row: OrderRow | undefined;
const common = { payments, account: 'tea-shop', page: (id: string) => `https://shop.example/${id}` };
const order = () => row;

test('a page has an address only if it is open', () => {
  const checkout = {} as Checkout;
  // @ts-expect-error not every checkout has an address
  checkout.url;
  if (checkout.state === 'open') expectTypeOf(checkout.url).toBeString();
  // @ts-expect-error a paid order has none
  else checkout.url;
});

test('each state and each need can be handled, and none is forgotten', () => {
  expectTypeOf<Checkout['state']>().toEqualTypeOf<'open' | 'paid' | 'canceled' | 'in_progress'>();
  expectTypeOf<OrderView['state']>().toEqualTypeOf<
    'unpaid' | 'in_progress' | 'authorized' | 'part_paid' | 'paid' | 'canceled'
  >();
  const textOf = (payment: CardPayment): string => {
    switch (payment.state) {
      case 'paid':
      case 'canceled':
      case 'in_progress':
      case 'part_paid':
      case 'authorized':
        return payment.state;
      case 'declined':
        return payment.reason ?? '';
      case 'requires_action':
        return payment.clientSecret ?? payment.intent;
      default:
        return payment satisfies never;
    }
  };
  const actionFor = ({ kind }: Need): string => {
    switch (kind) {
      case 'rest_unpaid':
      case 'row_missing':
      case 'not_shipped':
      case 'payment_unknown':
      case 'capture_unknown':
      case 'hold_refused':
      case 'refund_unknown':
      case 'refund_failed':
      case 'refunded_elsewhere':
      case 'chargeback':
        return kind;
      default:
        return kind satisfies never;
    }
  };
  expectTypeOf(textOf).returns.toBeString();
  expectTypeOf(actionFor).returns.toBeString();
});

test('with PostgreSQL, both get a client, and must be async', () => {
  const store = postgresStore(new pg.Pool());
  createOrders({
    ...common,
    store,
    order: async (id, client) => {
      expectTypeOf(id).toBeString();
      expectTypeOf(client).toEqualTypeOf<PostgresClient>();
      return row;
    },
    onPaid: async (paid, client) => {
      expectTypeOf(paid).toEqualTypeOf<PaidOrder>();
      await client.query('UPDATE orders SET shipped = true WHERE id = $1', [paid.id]);
    },
  });
  createOrders({
    ...common,
    store: postgresStore(new PGlite()),
    order: () => Promise.resolve(row),
    onPaid: ({ id }, client) => client.query('UPDATE orders SET shipped = true WHERE id = $1', [id]),
  });
  // @ts-expect-error a row that is not promised
  createOrders({ ...common, store, order, onPaid: async () => {} });
  // @ts-expect-error a shipment that nobody could wait for
  createOrders({ ...common, store, order: async () => row, onPaid: () => {} });
});

test('with SQLite, both get the database of the store, and must not be async', () => {
  const store = sqliteStore(new DatabaseSync('shop.db'));
  createOrders({
    ...common,
    store,
    order: (_id, database) => {
      expectTypeOf(database).toEqualTypeOf<DatabaseSync>();
      return row;
    },
    onPaid: ({ id }, database) => database.prepare('UPDATE orders SET shipped = 1 WHERE id = ?').run(id),
  });
  createOrders({ ...common, store, order, onPaid: () => {} });
  // @ts-expect-error an async onPaid
  createOrders({ ...common, store, order, onPaid: async () => {} });
  // @ts-expect-error an async order
  createOrders({ ...common, store, order: async () => row, onPaid: () => {} });
  // @ts-expect-error a promised result
  createOrders({ ...common, store, order, onPaid: () => Promise.resolve() });
});

test('with SQLite, the database may be any that fits, or a file', () => {
  interface ShopDatabase extends SqliteDatabase {
    readonly name: string;
  }
  const database = {} as ShopDatabase;
  createOrders({
    ...common,
    store: sqliteStore(database),
    order: (_id, { name }) => (name === '' ? undefined : row),
    onPaid: (_order, own) => void expectTypeOf(own).toEqualTypeOf<ShopDatabase>(),
  });
  createOrders({
    ...common,
    store: sqliteStore('shop.db'),
    order: (_id, own) => (own.prepare('SELECT 1').get() === undefined ? undefined : row),
    onPaid: (_order, own) => void expectTypeOf(own).toExtend<SqliteDatabase>(),
  });
});

test('with Redis or memory, nothing gets a client, and both may be async or not', () => {
  for (const store of [memoryStore(), redisStore(new Ioredis())]) {
    createOrders({ ...common, store, order, onPaid: () => 'shipped' });
    createOrders({ ...common, store, order: async () => row, onPaid: async () => {} });
    const onPaid = () => {};
    const shipByClient = (_order: PaidOrder, client: PostgresClient) => client;
    const readByClient = (_id: string, client: PostgresClient) => client && row;
    // @ts-expect-error there is no client
    createOrders({ ...common, store, order, onPaid: shipByClient });
    // @ts-expect-error there is no client
    createOrders({ ...common, store, order: readByClient, onPaid });
  }
});

test('the options of two kinds of stores do not mix', () => {
  const pool = new pg.Pool();
  const shipByPostgres = async (_order: PaidOrder, client: PostgresClient) => client.query('SELECT 1', []);
  const shipBySqlite = (_order: PaidOrder, client: DatabaseSync) => client.exec('SELECT 1');
  // @ts-expect-error a client of PostgreSQL with a store in SQLite
  createOrders({ ...common, store: sqliteStore(new DatabaseSync('a')), order, onPaid: shipByPostgres });
  // @ts-expect-error a database of SQLite with a store in PostgreSQL
  createOrders({ ...common, store: postgresStore(pool), order: async () => row, onPaid: shipBySqlite });
  // @ts-expect-error an unknown option
  createOrders({ ...common, store: memoryStore(), order, onPaid: () => {}, total: 1200 });
  // @ts-expect-error no onPaid
  createOrders({ ...common, store: memoryStore(), order });
});

test('arguments are checked, and the handlers fit a receiver', () => {
  const orders = {} as Orders;
  expectTypeOf(orders.on).toExtend<NonNullable<ReceiverOptions['on']>>();
  // @ts-expect-error no currency
  orders.refund('order-1', { id: 'return-1', amount: 1 });
  // @ts-expect-error the order has the amount
  orders.sell('order-1', { amount: '12.00' });
  // @ts-expect-error nothing found is null
  orders.resolve('order-1', 'operation', undefined);
  expectTypeOf(orders.needs()).toExtend<AsyncIterable<OrderView>>();
});
