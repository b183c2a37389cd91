import type { ShopRow } from './seat.ts';

/** What the names of the tables of a copy begin with. */
export const copyPrefix = 'copy_of_';

/** Returns a row of a table of orders. */
export function readRow(row: Readonly<Record<string, unknown>>): ShopRow {
  return {
    account: String(row['account']),
    id: String(row['id']),
    createdAt: Number(row['created']),
    currency: String(row['currency']),
    price: Number(row['price']),
    quantity: Number(row['quantity']),
    shipped: Number(row['shipped']),
    shippedTotal: row['total'] === null ? null : Number(row['total']),
    shippedCurrency: row['total_currency'] === null ? null : String(row['total_currency']),
  };
}
