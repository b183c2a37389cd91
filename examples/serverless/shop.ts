/**
 * A shop in functions, each of which may run in a new process: orders, journal and deliveries are in one PostgreSQL, which they reach over HTTP.
 * The routes beside it import it.
 *
 * It needs DATABASE_URL and DATABASE_KEY of an HTTP endpoint that runs one statement, the settings PAYMENTS_… and SHOP_URL. Once for each
 * deploy, run `await shopOf(process.env).store.migrate()` and
 * `CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, created bigint NOT NULL, boxes int NOT NULL, shipped timestamptz)`.
 */

import { PaymentsClient } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { createOrders } from 'payments-client/orders';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

/** `process.env`, or the bindings of a Worker. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** Runs each statement by a request of its own. The HTTP driver of your host has such a function too. */
const databaseOf = ({ DATABASE_URL = '', DATABASE_KEY }: Settings): PostgresClient => ({
  async query(text, values) {
    const headers = { authorization: `Bearer ${DATABASE_KEY}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ query: text, params: values });
    const response = await fetch(DATABASE_URL, { method: 'POST', headers, body });
    const result = JSON.parse(await response.text());
    // The store knows some failures by the code of PostgreSQL.
    if (!response.ok) throw Object.assign(new Error(`database: ${result.message}`), { code: result.code });
    return result;
  },
});

function openShop(settings: Settings) {
  const { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_SECRET_KEY: secretKey, SHOP_URL } = settings;
  const { PAYMENTS_CHECKOUT_PAGE: checkoutPage, PAYMENTS_WEBHOOK_SECRET: secret } = settings;
  const database = databaseOf(settings);
  const store = postgresStore(database);
  const journal = createJournal({ store, account: 'tea-shop' });
  const payments = new PaymentsClient({ baseUrl, secretKey, checkoutPage, journal, totalTimeout: 20_000 });
  const page = (id: string) => `${SHOP_URL}/orders/${id}`;
  // A transaction needs a connection. Without one `onPaid` may run again, so it changes a row that is not shipped yet.
  const { load, save, lookUp, due } = store;
  const ship = 'UPDATE orders SET shipped = now() WHERE id = $1 AND shipped IS NULL';
  const orders = createOrders({
    payments,
    store: { load, save, lookUp, due },
    account: 'tea-shop',
    page,
    async order(id) {
      const { rows } = await database.query('SELECT created, boxes FROM orders WHERE id = $1', [id]);
      const lines = [{ name: 'Tea', amount: 1200, quantity: Number(rows[0]?.['boxes']) }];
      return rows[0] && { createdAt: Number(rows[0]['created']), currency: 'usd', lines };
    },
    onPaid: ({ id }) => database.query(ship, [id]),
  });
  const receiver = new Webhooks({ secret }).receiver({ store, on: orders.on, onError: console.error });
  return { store, payments, orders, receiver, page };
}

let shop: ReturnType<typeof openShop> | undefined;

/** Returns the shop of this process, which the first request opens. */
export const shopOf = (settings: Settings) => (shop ??= openShop(settings));
