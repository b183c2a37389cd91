/**
 * Hosted checkout with Express 5: the shop creates an order, sends its buyer to the payment page, and ships when a webhook says that the
 * order is paid. A buyer whose page has expired gets a new one.
 *
 * Run it: `npm run example -- checkout-express`; then `curl -X POST localhost:3000/orders` creates an order, and
 * `curl -i -X POST localhost:3000/orders/<id>/checkout` redirects its buyer. In your app: PAYMENTS_BASE_URL,
 * PAYMENTS_SECRET_KEY, PAYMENTS_WEBHOOK_SECRET, PORT, SHOP_URL, the address of the shop, and PAYMENTS_CHECKOUT_PAGE, the
 * address of the hosted pages with `{id}` for a session's id, which the interface does not show.
 */

import { randomUUID } from 'node:crypto';
import express from 'express';
import { type CheckoutSession, PaymentsClient, PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { type CheckoutOrder, noteSession, openCheckout } from './open-checkout.ts';

const payments = new PaymentsClient();
const shopUrl = process.env['SHOP_URL'] ?? 'http://localhost:3000';
type Order = CheckoutOrder & { readonly sessions: string[] };
const orders = new Map<string, Order>(); // your database

/** Ships the order of a paid session. In SQL: SELECT … FROM sessions WHERE id = $1. */
async function note(session: CheckoutSession): Promise<void> {
  const order = [...orders.values()].find(({ sessions }) => sessions.includes(session.id));
  await noteSession(payments, order, session); // ship here, if it has set `paidBy`
}

const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
  store: memoryStore(), // for one process; redisStore or postgresStore for more
  on: {
    'checkout.session.completed': ({ data }) => note(data.object), // the money moved
  },
  onError: ({ error, outcome }) => console.error(outcome, error),
});

const app = express();
app.post('/webhooks', receiver.node); // before any body parser: the signature covers the raw bytes
app.use(express.json());

app.post('/orders', (_request, response) => {
  // The server sets the price. Never use an amount from the browser.
  const price = { amount: 2400, currency: 'usd' };
  const order: Order = {
    id: `order-${randomUUID()}`,
    ...price,
    createdAt: Date.now(),
    sessions: [],
    paidBy: null,
  };
  orders.set(order.id, order);
  response.status(201).json(order);
});

app.get('/orders/:id', (request, response) => {
  const order = orders.get(request.params.id);
  if (order === undefined) response.sendStatus(404);
  else response.json(order);
});

app.post('/orders/:id/checkout', async (request, response) => {
  const order = orders.get(request.params.id);
  if (order === undefined || order.paidBy !== null) return response.sendStatus(order ? 409 : 404);
  const addSession = (id: string, attempt: number) => {
    order.sessions[attempt] = id;
  };
  try {
    const session = await openCheckout(payments, order, addSession, shopUrl);
    return response.redirect(303, payments.checkoutSessions.pageUrl(session));
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    console.error(error.outcome, error.message);
    // The buyer may safely try again: the same attempt returns the same session.
    return response.status(503).json({ message: 'Please try again.' });
  }
});

const server = app.listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
