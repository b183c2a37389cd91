/**
 * Hosted checkout with Express 5: an order is made, its buyer is sent to the payment page, and a webhook says that it is
 * paid.
 *
 * Run it: `npm run example -- checkout-express`; then `curl -X POST localhost:3000/orders` makes an order, and
 * `curl -i -X POST localhost:3000/orders/<id>/checkout` says where its buyer is sent. In your app: PAYMENTS_BASE_URL,
 * PAYMENTS_SECRET_KEY, WEBHOOK_SECRET, PORT, SHOP_URL, where buyers find the shop, and CHECKOUT_PAGE, where the hosted page of
 * a session is; the interface does not show it.
 */

import { randomUUID } from 'node:crypto';
import express from 'express';
import { PaymentsClient, PaymentsError } from 'payments-client';
import { memoryStore, Webhooks } from 'payments-client/webhooks';

interface Order {
  readonly id: string;
  /** In minor units. Prices are yours: what a browser says about money is never used. */
  readonly amount: number;
  status: 'open' | 'paid' | 'expired';
}

const payments = new PaymentsClient();
const orders = new Map<string, Order>(); // your database

/** A session ends in one of the two ways, and an order has one session. */
function mark(orderId: string | null, status: 'paid' | 'expired'): void {
  const order = orders.get(orderId ?? '');
  if (order !== undefined) order.status = status;
}

const receiver = new Webhooks({ secret: process.env['WEBHOOK_SECRET'] }).receiver({
  store: memoryStore(), // for one process; redisStore or postgresStore for more
  on: {
    'checkout.session.completed': ({ data }) => mark(data.object.client_reference_id, 'paid'),
    'checkout.session.expired': ({ data }) => mark(data.object.client_reference_id, 'expired'),
  },
  onError: ({ error, outcome }) => console.error(outcome, error),
});

const app = express();
app.post('/webhooks', receiver.node); // before any body parser: the signature is over the bytes
app.use(express.json());

app.post('/orders', (_request, response) => {
  const order: Order = { id: `order-${randomUUID()}`, amount: 2400, status: 'open' };
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
  if (order?.status !== 'open') return response.sendStatus(order === undefined ? 404 : 409);
  const here = `${process.env['SHOP_URL'] ?? 'http://localhost:3000'}/orders/${order.id}`;
  try {
    const session = await payments.checkoutSessions.create(
      {
        mode: 'payment',
        line_items: [{ name: 'A pound of tea', amount: order.amount, currency: 'usd', quantity: 1 }],
        success_url: here,
        cancel_url: here,
        client_reference_id: order.id,
      },
      { operationId: order.id }, // pressed twice, the button leads to the same session
    );
    return response.redirect(303, `${process.env['CHECKOUT_PAGE']}${encodeURIComponent(session.id)}`);
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    console.error(error.outcome, error.message);
    // Whatever the outcome, trying again is safe: the order's id makes it the same checkout.
    return response.status(503).json({ message: 'Please try again.' });
  }
});

const server = app.listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
