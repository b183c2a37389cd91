/**
 * Hosted checkout with Express 5: the shop creates an order, sends its buyer to the payment page, and ships when the order is paid in
 * full. A buyer whose page has expired gets a new one.
 *
 * Run it: `npm run example -- checkout-express`; then `curl -X POST localhost:3000/orders` creates an order, and
 * `curl -i -X POST localhost:3000/orders/<id>/checkout` redirects its buyer. In your app: PAYMENTS_BASE_URL,
 * PAYMENTS_SECRET_KEY, PAYMENTS_WEBHOOK_SECRET, PORT, SHOP_URL, the address of the shop, and PAYMENTS_CHECKOUT_PAGE, the
 * address of the hosted pages with `{id}` for a session's id, which the interface does not show.
 */

import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express, { type ErrorRequestHandler } from 'express';
import { PaymentsClient } from 'payments-client';
import { createOrders, OrderError } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const { PAYMENTS_WEBHOOK_SECRET: secret, PORT = '3000', SHOP_URL = `http://localhost:${PORT}` } = process.env;
const database = new DatabaseSync('shop.sqlite');
database.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, created INT, price INT, shipped INT)');
const store = sqliteStore(database); // postgresStore(pool) for several machines
const orders = createOrders({
  payments: new PaymentsClient(),
  store,
  account: 'tea-shop',
  page: (id) => `${SHOP_URL}/orders/${id}`,
  order: (id, client) => {
    const row = client.prepare('SELECT created, price FROM orders WHERE id = ?').get(id);
    const lines = [{ name: `Order ${id}`, amount: Number(row?.['price']), quantity: 1 }];
    return row && { createdAt: Number(row['created']), currency: 'usd', lines };
  },
  // Ship here, in the same transaction as the record of the payment.
  onPaid: ({ id }, client) => client.prepare('UPDATE orders SET shipped = 1 WHERE id = ?').run(id),
});
const receiver = new Webhooks({ secret }).receiver({ store, on: orders.on, onError: console.error });
setInterval(() => orders.resume().then((all) => all.map((one) => console.error(one)), console.error), 60_000);

const app = express();
app.post('/webhooks', receiver.node); // before any body parser: the signature covers the raw bytes

app.post('/orders', (_request, response) => {
  const id = `order-${randomUUID()}`;
  // The server sets the price, in cents. Never use an amount from the browser.
  database.prepare('INSERT INTO orders VALUES (?, ?, 2400, 0)').run(id, Date.now());
  response.status(201).json({ id });
});

app.get('/orders/:id', async ({ params: { id } }, response) => {
  // Asks the service: that the buyer comes back proves nothing.
  const { state, total, paid, due, refunding, refunded } = await orders.refresh(id);
  response.json({ id, state, total, paid, due, refunding, refunded });
});

app.post('/orders/:id/checkout', async ({ params: { id } }, response) => {
  const checkout = await orders.checkout(id);
  if (checkout.state === 'open') response.redirect(303, checkout.url);
  else response.status(409).json(checkout); // paid, canceled, or a payment in progress
});

app.use(((error, _request, response, _next) => {
  console.error(error);
  const isUnknown = error instanceof OrderError && error.code === 'ORDER_NOT_FOUND';
  if (isUnknown) response.sendStatus(404);
  else response.status(503).json({ message: 'Please try again: nothing is charged twice.' });
}) satisfies ErrorRequestHandler);

const server = app.listen(Number(PORT), () => console.log('Listening', server.address()));
