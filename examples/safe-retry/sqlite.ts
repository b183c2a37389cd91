/**
 * One payment for each order, whatever crashes in between, with the orders in SQLite. The order is stored before it is charged, and
 * what a crash or an error leaves open is continued by the next run.
 *
 * Run it: `npm run example -- safe-retry/sqlite`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, ORDERS_FILE; then
 * `node sqlite.ts order-1042 1200 usd pm_…` stores an order with the buyer's card (again with another card after a decline),
 * `node sqlite.ts cancel order-1042` gives one up, and `node sqlite.ts` continues with what is open.
 */

import { DatabaseSync } from 'node:sqlite';
import { PaymentsClient, PaymentsError } from 'payments-client';
import { chooseCard, type Order, settleOrder } from '../settle-order.ts';

const payments = new PaymentsClient();
const database = new DatabaseSync(process.env['ORDERS_FILE'] ?? 'orders.sqlite', { timeout: 5000 });
database.exec(`CREATE TABLE IF NOT EXISTS orders (
  id TEXT PRIMARY KEY, amount INTEGER NOT NULL CHECK (amount > 0), currency TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'canceling', 'paid', 'failed')),
  intent TEXT, card TEXT, attempt INTEGER NOT NULL DEFAULT 0) STRICT`);

function ordersWhere(condition: string, ...values: readonly string[]): Order[] {
  const rows = database
    .prepare(`SELECT json_object('id', id, 'amount', amount, 'currency', currency, 'state', state,
      'intent', intent, 'card', card, 'attempt', attempt) AS json FROM orders WHERE ${condition} ORDER BY id`)
    .all(...values);
  return rows.map(({ json }) => JSON.parse(String(json)));
}

function save({ id, state, intent, card, attempt }: Order): void {
  database
    .prepare('UPDATE orders SET state = ?, intent = ?, card = ?, attempt = ? WHERE id = ?')
    .run(state, intent, card, attempt, id);
}

/** Stores a new order, or the next card of one that is known. */
function takeIn(id: string, amount: number, currency: string, card: string): void {
  const insert = 'INSERT INTO orders (id, amount, currency) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  database.prepare(insert).run(id, amount, currency);
  for (const order of ordersWhere("id = ? AND state = 'open' AND card IS NULL", id)) {
    chooseCard(order, card);
    save(order);
  }
}

const [first, second, currency, card] = process.argv.slice(2);
if (first === 'cancel' && second)
  database.prepare("UPDATE orders SET state = 'canceling' WHERE id = ? AND state = 'open'").run(second);
else if (first && currency && card) takeIn(first, Number(second), currency, card);

for (const order of ordersWhere("state IN ('open', 'canceling')")) {
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
