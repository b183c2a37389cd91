/**
 * The same as `sqlite.ts` with the orders in PostgreSQL, and with any number of processes. Each process locks the order that it works
 * on. A process that dies loses its lock, so another one continues the order, with the same payment intent.
 *
 * Run it: `DATABASE_URL=postgres://… npm run example -- safe-retry/postgres`. In your app also PAYMENTS_BASE_URL,
 * PAYMENTS_SECRET_KEY; then `node postgres.ts order-1042 1200 usd pm_…` stores an order with the buyer's card (again with another card
 * after a decline), `node postgres.ts cancel order-1042` gives one up, and `node postgres.ts` continues with what is open.
 */

import { PaymentsClient, PaymentsError } from 'payments-client';
import pg from 'pg';
import { chooseCard, type Order, settleOrder } from '../settle-order.ts';

const payments = new PaymentsClient();
const database = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
await database.connect();
await database.query(`CREATE TABLE IF NOT EXISTS orders (
  id text PRIMARY KEY, amount integer NOT NULL CHECK (amount > 0), currency text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'canceling', 'paid', 'failed')),
  intent text, card text, attempt integer NOT NULL DEFAULT 0)`);

function save({ id, state, intent, card, attempt }: Order): Promise<unknown> {
  const update = 'UPDATE orders SET state = $2, intent = $3, card = $4, attempt = $5 WHERE id = $1';
  return database.query(update, [id, state, intent, card, attempt]);
}

async function settle(order: Order): Promise<void> {
  try {
    await settleOrder(payments, order, save);
    const isWaiting = order.state === 'open' && order.card === null;
    console.log(`${order.id}: ${order.intent} ${isWaiting ? 'waits for another card' : order.state}`);
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // The order stays as it is. The next run continues it; where that cannot help, somebody has to look.
    console.error(`${order.id}: ${error.retryable ? 'run again' : 'look into it'}: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Works on an order that has no end yet, unless another process does. */
async function withOrder(id: string, work: (order: Order) => Promise<unknown>): Promise<void> {
  // The lock ends with the connection. Unlike the lock of a row, it keeps no transaction open during a call.
  const { rows: locks } = await database.query('SELECT pg_try_advisory_lock(hashtext($1)) AS got', [id]);
  if (locks[0]?.got !== true) return;
  const select = "SELECT * FROM orders WHERE id = $1 AND state IN ('open', 'canceling')";
  const { rows } = await database.query<Order>(select, [id]);
  for (const order of rows) await work(order);
  await database.query('SELECT pg_advisory_unlock(hashtext($1))', [id]);
}

const [first, second, currency, card] = process.argv.slice(2);
if (first === 'cancel' && second) {
  await withOrder(second, (order) => save({ ...order, state: 'canceling' }));
} else if (first && currency && card) {
  const insert = 'INSERT INTO orders (id, amount, currency) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
  await database.query(insert, [first, Number(second), currency]);
  await withOrder(first, async (order) => {
    if (order.state !== 'open' || order.card !== null) return;
    chooseCard(order, card);
    await save(order);
  });
}

const open = await database.query<Pick<Order, 'id'>>(
  "SELECT id FROM orders WHERE state IN ('open', 'canceling') ORDER BY id",
);
for (const { id } of open.rows) await withOrder(id, settle);
await database.end();
