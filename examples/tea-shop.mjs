/**
 * Start here: a whole shop in one file. It sells tea by hosted checkout, ships each order once, and gives money back. It keeps its data
 * in SQLite. Copy it into an empty folder, and run `npm install payments-client payments-client-sandbox` there. Then:
 *
 * 1. `npx payments-client sandbox --forward-to localhost:3000/webhooks` simulates the payment service.
 * 2. In another shell, `npx payments-client env > .env` saves its address and keys, and `node --env-file=.env tea-shop.mjs`
 *    starts the shop.
 * 3. Open http://localhost:3000, buy, and pay with the card 4242 4242 4242 4242. To pay from a shell instead, take the
 *    session's id from the end of the payment page's address: `npx payments-client pay cs_…`
 * 4. Give a part back: `curl -X POST http://localhost:3000/orders/<id>/refund/return-1/500` (cents). A repeat gives it back once.
 *
 * For the real service, put its address, your keys, the address of its payment page (PAYMENTS_CHECKOUT_PAGE), the signing secret of
 * your endpoint (PAYMENTS_WEBHOOK_SECRET) and the public address of your shop (SHOP_URL) into `.env`.
 */

import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { formatAmount, PaymentsClient } from 'payments-client';
import { createOrders } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const { PAYMENTS_WEBHOOK_SECRET: secret, PORT = '3000', SHOP_URL = `http://localhost:${PORT}` } = process.env;
const db = new DatabaseSync('tea-shop.sqlite');
db.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, created INT, boxes INT, shipped INT)');
const change = (sql, ...values) => db.prepare(sql).run(...values);
const store = sqliteStore(db);
const orders = createOrders({
  payments: new PaymentsClient(), // reads its settings from PAYMENTS_…
  store,
  account: 'tea-shop',
  page: (id) => `${SHOP_URL}/orders/${id}`,
  order(id) {
    const row = db.prepare('SELECT * FROM orders WHERE id = ?').get(id);
    const lines = [{ name: 'Tea', amount: 1200, quantity: row?.boxes }]; // cents: the browser never sets a price
    return row && { createdAt: row.created, currency: 'usd', lines };
  },
  onPaid: ({ id }) => change('UPDATE orders SET shipped = 1 WHERE id = ?', id), // ship here, in this transaction
});
const receiver = new Webhooks({ secret }).receiver({ store, on: orders.on, onError: console.error });
setInterval(() => orders.resume().then((all) => all.map((one) => console.error(one)), console.error), 60_000);

const text = ({ amount, currency }) => formatAmount(amount, currency, 'en');
const button = (id, to) => `<form method="post" action="/orders/${id}/${to}"><button>${to}</button></form>`;
async function show(id) {
  const { state, paid, refunding, refunded, due } = await orders.refresh(id); // anyone can open this page
  const sums = `Paid: ${text(paid)}. Going back: ${text(refunding)}. Given back: ${text(refunded)}.`;
  const buttons = ['pay', 'more', 'cancel'].map((action) => button(id, action)).join('');
  return `Order ${id} is ${state.replace('_', ' ')}. ${sums} To pay: ${text(due)}. ${due.amount > 0 ? buttons : ''}`;
}

/** Does what a button says, and returns where the buyer goes next. */
async function act(id, action, back, cents) {
  if (action === 'more') change('UPDATE orders SET boxes = boxes + 1 WHERE id = ? AND shipped = 0', id);
  if (action === 'cancel') await orders.cancel(id);
  if (action === 'refund') await orders.refund(id, { id: back, amount: Number(cents), currency: 'usd' }); // only for your staff
  if (action !== 'pay') return `/orders/${id}`;
  if (/^[\da-f-]{36}$/.test(id)) change('INSERT OR IGNORE INTO orders VALUES (?, ?, 1, 0)', id, Date.now());
  return (await orders.checkout(id)).url ?? `/orders/${id}`;
}

const statuses = { ORDER_NOT_FOUND: 404, ORDER_REFUND_REFUSED: 409, INVALID_CONFIGURATION: 400 };
const server = createServer(async (request, response) => {
  const [, room, id, ...action] = request.url.split('/');
  if (room === 'webhooks') return receiver.node(request, response);
  response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('cache-control', 'no-store');
  try {
    if (request.method === 'POST') response.writeHead(303, { location: await act(id, ...action) }).end();
    else response.end(id ? await show(id) : `Tea: $12.00 ${button(crypto.randomUUID(), 'pay')}`);
  } catch (error) {
    console.error(error);
    response.writeHead(statuses[error.code] ?? 503).end('Try again: nothing is charged or given back twice.');
  }
});
server.listen(PORT, () => console.log(`The shop is at http://localhost:${server.address().port}`));
