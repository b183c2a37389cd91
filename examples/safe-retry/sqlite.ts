/**
 * One charge for each order, whatever crashes in between, with the orders in SQLite: the order is stored before it is
 * charged, its id names the charge, and what a crash left open is taken up by the next run, which finds the same charge.
 *
 * Run it: `npm run example -- safe-retry/sqlite`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, ORDERS_FILE; then
 * `node sqlite.ts order-1042 1200 usd pm_…` takes an order in, and `node sqlite.ts` goes on with what is open.
 */

import { DatabaseSync } from 'node:sqlite';
import { ApiError, type PaymentIntent, PaymentsClient, PaymentsError } from 'payments-client';

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly paymentMethod: string;
  readonly intent: string | null;
}

const payments = new PaymentsClient();
const database = new DatabaseSync(process.env['ORDERS_FILE'] ?? 'orders.sqlite', { timeout: 5000 });
database.exec(`CREATE TABLE IF NOT EXISTS orders (
  id TEXT PRIMARY KEY, amount INTEGER NOT NULL CHECK (amount > 0), currency TEXT NOT NULL,
  payment_method TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open', intent TEXT) STRICT`);

/** What is charged is written down first, so that a repeated call sends the same. */
function takeIn(id: string, amount: number, currency: string, paymentMethod: string): void {
  const insert = 'INSERT INTO orders (id, amount, currency, payment_method) VALUES (?, ?, ?, ?)';
  database.prepare(`${insert} ON CONFLICT DO NOTHING`).run(id, amount, currency, paymentMethod);
}

function openOrders(): Order[] {
  const rows = database.prepare("SELECT * FROM orders WHERE status = 'open' ORDER BY id").all();
  return rows.map(({ id, amount, currency, payment_method, intent }) => ({
    id: String(id),
    amount: Number(amount),
    currency: String(currency),
    paymentMethod: String(payment_method),
    intent: intent === null ? null : String(intent),
  }));
}

function note(id: string, column: 'status' | 'intent', value: string): void {
  database.prepare(`UPDATE orders SET ${column} = ? WHERE id = ?`).run(value, id);
}

/**
 * Both calls carry the order's id, so each takes effect once. How long the service remembers that is not shown, so a run
 * that comes late looks first.
 */
async function charge({ id, amount, currency, paymentMethod, intent }: Order): Promise<PaymentIntent> {
  const once = { operationId: id };
  const params = { amount, currency, payment_method: paymentMethod };
  const found = await (intent === null
    ? payments.paymentIntents.create(params, once)
    : payments.paymentIntents.retrieve(intent));
  note(id, 'intent', found.id);
  return found.status === 'succeeded' ? found : payments.paymentIntents.confirm(found.id, {}, once);
}

const [id, amount, currency, paymentMethod] = process.argv.slice(2);
if (id && currency && paymentMethod) takeIn(id, Number(amount), currency, paymentMethod);

for (const order of openOrders()) {
  try {
    const intent = await charge(order);
    // A crash before this line is what all of this is for.
    if (intent.status === 'succeeded') note(order.id, 'status', 'paid');
    console.log(`${order.id}: ${intent.id} ${intent.status}`);
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    // That a declined card is a 402 is inferred. All else stays open for the next run, which cannot charge twice.
    const isDeclined = error instanceof ApiError && error.status === 402 && error.outcome === 'not_executed';
    if (isDeclined) note(order.id, 'status', 'declined');
    console.error(`${order.id}: ${isDeclined ? 'declined' : error.outcome}: ${error.message}`);
    process.exitCode = 1;
  }
}
