/**
 * Returns what `payments-client/orders` says was paid, by payment intent: our side of `reconciliation.ts`. Sales of the form endpoint are left out,
 * since no list has them. The shop keeps each order as the JSON of its `OrderRow`: `CREATE TABLE orders (id TEXT PRIMARY KEY, row TEXT)`.
 */

import type { DatabaseSync } from 'node:sqlite';
import { type PaymentsClient, toDate } from 'payments-client';
import { createOrders } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';

/** Reads a list, newest first, until its items are older than a time in ms. */
export async function since<Item extends { readonly created_at: number }>(
  time: number,
  list: AsyncIterable<Item>,
) {
  const items: Item[] = [];
  for await (const item of list) {
    if (toDate(item.created_at).getTime() < time) break;
    items.push(item);
  }
  return items;
}

/** Returns each payment of the orders. `isOld`: its order was made before `time`, and its charge may be older than the lists that are read. */
export async function paidIntents(payments: PaymentsClient, database: DatabaseSync, time: number) {
  const stored = database.prepare('SELECT id, row FROM orders').all();
  const rows = new Map(stored.map(({ id, row }) => [String(id), JSON.parse(String(row))]));
  const store = sqliteStore(database);
  const shop = { account: 'tea-shop', page: String, onPaid: () => undefined }; // `get` uses only the account: that of your shop
  const orders = createOrders({ ...shop, payments, store, order: (id) => rows.get(id) });
  const views = await Promise.all([...rows.keys()].map((id) => orders.get(id)));
  return views.flatMap((view) =>
    view.payments.flatMap(({ intent, paid }) => {
      if (paid === null || intent === null) return [];
      const isOld = new Date(rows.get(view.id).createdAt).getTime() < time;
      return [{ intent, isOld, ...paid }];
    }),
  );
}
