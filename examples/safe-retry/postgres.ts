/**
 * The same as `sqlite.ts` with the orders in PostgreSQL, and with any number of processes: each locks the order that it is
 * at, and one that dies lets go of its lock, so that another takes the order up, and finds the same charge.
 *
 * Run it: `DATABASE_URL=postgres://… npm run example -- safe-retry/postgres`. In your app also PAYMENTS_BASE_URL,
 * PAYMENTS_SECRET_KEY; then `node postgres.ts order-1042 1200 usd pm_…` takes an order in, and `node postgres.ts` goes on
 * with what is open.
 */

import { ApiError, type PaymentIntent, PaymentsClient, PaymentsError } from 'payments-client';
import pg from 'pg';

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment_method: string;
  readonly intent: string | null;
}

const payments = new PaymentsClient();
const database = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
await database.connect();
await database.query(`CREATE TABLE IF NOT EXISTS orders (
  id text PRIMARY KEY, amount integer NOT NULL CHECK (amount > 0), currency text NOT NULL,
  payment_method text NOT NULL, status text NOT NULL DEFAULT 'open', intent text)`);

function note(id: string, column: 'status' | 'intent', value: string): Promise<unknown> {
  return database.query(`UPDATE orders SET ${column} = $2 WHERE id = $1`, [id, value]);
}

/** As in `sqlite.ts`: each call takes effect once, and a run that comes late looks first. */
async function charge({ id, amount, currency, payment_method, intent }: Order): Promise<PaymentIntent> {
  const once = { operationId: id };
  const found = await (intent === null
    ? payments.paymentIntents.create({ amount, currency, payment_method }, once)
    : payments.paymentIntents.retrieve(intent));
  await note(id, 'intent', found.id);
  return found.status === 'succeeded' ? found : payments.paymentIntents.confirm(found.id, {}, once);
}

async function settle(order: Order): Promise<void> {
  try {
    const intent = await charge(order);
    // A crash before this line is what all of this is for.
    if (intent.status === 'succeeded') await note(order.id, 'status', 'paid');
    console.log(`${order.id}: ${intent.id} ${intent.status}`);
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // That a declined card is a 402 is inferred. All else stays open for the next run, which cannot charge twice.
    const isDeclined = error instanceof ApiError && error.status === 402 && error.outcome === 'not_executed';
    if (isDeclined) await note(order.id, 'status', 'declined');
    console.error(`${order.id}: ${isDeclined ? 'declined' : error.outcome}: ${error.message}`);
    process.exitCode = 1;
  }
}

const [newId, amount, currency, paymentMethod] = process.argv.slice(2);
if (newId && currency && paymentMethod) {
  const insert = 'INSERT INTO orders (id, amount, currency, payment_method) VALUES ($1, $2, $3, $4)';
  await database.query(`${insert} ON CONFLICT DO NOTHING`, [newId, Number(amount), currency, paymentMethod]);
}

const open = await database.query<Pick<Order, 'id'>>(
  "SELECT id FROM orders WHERE status = 'open' ORDER BY id",
);
for (const { id } of open.rows) {
  // It ends with the connection, and unlike the lock of a row it keeps no transaction open during a call.
  const tryLock = 'SELECT pg_try_advisory_lock(hashtext($1)) AS got';
  const lock = await database.query<{ got: boolean }>(tryLock, [id]);
  if (lock.rows[0]?.got !== true) continue;
  // Another process may have closed it meanwhile.
  const { rows } = await database.query<Order>("SELECT * FROM orders WHERE id = $1 AND status = 'open'", [
    id,
  ]);
  for (const order of rows) await settle(order);
  await database.query('SELECT pg_advisory_unlock(hashtext($1))', [id]);
}
await database.end();
