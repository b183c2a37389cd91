/**
 * The same as `sqlite.ts` with the orders in PostgreSQL, and with any number of processes: each locks the order that it
 * charges, and one that dies lets go of its lock, so that another charges the order again, which gives the same charge.
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
}

const payments = new PaymentsClient();
const database = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
await database.connect();
await database.query(`CREATE TABLE IF NOT EXISTS orders (
  id text PRIMARY KEY, amount integer NOT NULL CHECK (amount > 0), currency text NOT NULL, payment_method text NOT NULL,
  status text NOT NULL DEFAULT 'open', intent text)`);

/** Both calls carry the order's id, so each takes effect once. */
async function charge({ id, amount, currency, payment_method }: Order): Promise<PaymentIntent> {
  const once = { operationId: id };
  const intent = await payments.paymentIntents.create({ amount, currency, payment_method }, once);
  return payments.paymentIntents.confirm(intent.id, {}, once);
}

/** What becomes of the order. After an error it stays open for the next run, unless the card is declined. */
async function settle(
  order: Order,
): Promise<{ status: 'paid' | 'declined' | 'open'; intent: string | null }> {
  try {
    const { id, status } = await charge(order);
    console.log(`${order.id}: ${id} ${status}`);
    return { status: status === 'succeeded' ? 'paid' : 'open', intent: id };
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    console.error(`${order.id}: ${error.outcome}: ${error.message}`);
    process.exitCode = 1;
    const isDeclined = error instanceof ApiError && error.status === 402; // inferred
    return { status: isDeclined ? 'declined' : 'open', intent: null };
  }
}

/** Charges an order under a lock, unless it is closed or another process is at it. */
async function work(id: string): Promise<void> {
  await database.query('BEGIN');
  const { rows } = await database.query<Order>(
    "SELECT * FROM orders WHERE id = $1 AND status = 'open' FOR UPDATE SKIP LOCKED",
    [id],
  );
  for (const order of rows) {
    const { status, intent } = await settle(order);
    await database.query('UPDATE orders SET status = $2, intent = $3 WHERE id = $1', [id, status, intent]);
  }
  // A crash before this line is what the order's id is for.
  await database.query('COMMIT');
}

const [id, amount, currency, paymentMethod] = process.argv.slice(2);
if (id && currency && paymentMethod) {
  const insert =
    'INSERT INTO orders (id, amount, currency, payment_method) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';
  await database.query(insert, [id, Number(amount), currency, paymentMethod]);
}
const { rows } = await database.query<Order>("SELECT * FROM orders WHERE status = 'open' ORDER BY id");
for (const order of rows) await work(order.id);
await database.end();
