/** The shop's orders: a table in SQLite, and what has been paid for them. */

import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { PaymentsClient } from 'payments-client';
import { createOrders } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';

/** Opens the orders of a database. `shopUrl` is the public address of the shop, from your settings. */
export function openOrders(payments: PaymentsClient, database: DatabaseSync, shopUrl: string) {
  database.exec(
    'CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, created INT, pounds INT, shipped INT)',
  );
  const store = sqliteStore(database);
  const orders = createOrders({
    payments,
    store,
    account: 'tea-shop',
    saleCurrency: 'usd', // of your account at the form endpoint
    page: (id) => `${shopUrl}/orders/${id}`,
    order: (id, client) => {
      const row = client.prepare('SELECT created, pounds FROM orders WHERE id = ?').get(id);
      const tea = { name: 'A pound of tea', amount: 2400 }; // cents: the browser never sets a price
      const lines = [{ ...tea, quantity: Number(row?.['pounds']) }];
      return row && { createdAt: Number(row['created']), currency: 'usd', lines };
    },
    // Ship here, in the same transaction as the record of the payment.
    onPaid: ({ id }, client) => client.prepare('UPDATE orders SET shipped = 1 WHERE id = ?').run(id),
  });
  /** Creates an order for a pound of tea, and returns its id. */
  const create = (): string => {
    const id = `order-${randomUUID()}`;
    database.prepare('INSERT INTO orders VALUES (?, ?, 1, 0)').run(id, Date.now());
    return id;
  };
  return { ...orders, store, create };
}

export type ShopOrders = ReturnType<typeof openOrders>;
