/**
 * A merchant's shop. The buyer pays on its own page, with card fields, device data and 3-D Secure, or on the hosted page.
 * Webhooks report the result. No card number ever reaches this program.
 */

import express, { type Express, type Request, type Response } from 'express';
import {
  CardholderAuthenticationError,
  type PaymentsClient,
  PaymentsError,
  type TransactionResult,
  toDecimalAmount,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { Webhooks } from 'payments-client/webhooks';
import { type Order, Orders } from './orders.ts';
import { type BrowserSettings, orderPage, statusPage } from './pages.ts';
import { type Payment, readPayment } from './payment.ts';

/** The dependencies of the shop. */
export interface ShopOptions {
  /** Has the option `checkoutPage`. */
  readonly payments: PaymentsClient;
  readonly webhooks: Webhooks;
  readonly browser: BrowserSettings;
  /** The path of `payments-client/browser`, which the pages import. A shop with a bundler includes it in its own script. */
  readonly browserModule: string;
  readonly orders?: Orders;
}

const notPossible = 'The payment is not possible at the moment. Please try again later.';

/** Creates the shop. */
export function createShop({
  payments,
  webhooks,
  browser,
  browserModule,
  orders = new Orders(),
}: ShopOptions): Express {
  const { transact } = payments; // without a security key this throws now, and not when an order is `paying`
  const receiver = webhooks.receiver({
    store: memoryStore(),
    on: {
      'checkout.session.completed': ({ data }) => {
        const order = orders.ofSession(data.object.id);
        // Answers 500, and keeps the event.
        if (order === undefined)
          throw new Error(`Expected an order with the paid session ${data.object.id}.`);
        orders.update(order.id, { status: 'paid' });
      },
      'checkout.session.expired': ({ data }) => {
        const order = orders.ofSession(data.object.id);
        // Events may arrive in any order, and an expired session may still be paid: never undo `paid`.
        if (order?.status === 'open') orders.update(order.id, { status: 'canceled' });
      },
    },
    onError: ({ error, outcome }) => console.error(outcome, error),
  });

  /** Passes the order to a handler, or responds with 404. */
  const handleOrder =
    (answer: (order: Order, request: Request, response: Response) => unknown) =>
    async (request: Request<{ id: string }>, response: Response): Promise<void> => {
      const order = orders.get(request.params.id);
      if (order === undefined) response.status(404).send('There is no such order.');
      else await answer(order, request, response);
    };

  /** Charges the token once: no other request may charge meanwhile, and after an unknown outcome a person decides. */
  async function charge(
    order: Order,
    payment: Payment,
    ipaddress: string,
  ): Promise<{ paid: boolean; message: string }> {
    const refusal = refusalOf(order);
    if (refusal !== undefined) return { paid: false, message: refusal };
    orders.update(order.id, { status: 'paying' });
    try {
      const result = await transact.sale(
        { amount: toDecimalAmount(order.amount, order.currency), ipaddress, ...payment },
        // If the bank could not be asked, the service's risk scoring decides.
        { allowUnavailableAuthentication: true },
      );
      return settle(order.id, result);
    } catch (error) {
      if (!(error instanceof CardholderAuthenticationError)) console.error(error);
      const isUnpaid = error instanceof PaymentsError && error.outcome === 'not_executed';
      orders.update(order.id, { status: isUnpaid ? 'open' : 'unclear' });
      if (!isUnpaid)
        return { paid: false, message: 'We do not know yet whether you have paid. Please do not pay again.' };
      if (error instanceof CardholderAuthenticationError)
        return {
          paid: false,
          message: 'Your bank did not confirm that it is you. Please try again, or another card.',
        };
      return { paid: false, message: notPossible };
    }
  }

  function settle(id: string, result: TransactionResult): { paid: boolean; message: string } {
    orders.update(id, { status: result.approved ? 'paid' : 'open', transactionId: result.transactionid });
    if (result.approved) return { paid: true, message: 'Paid.' };
    // Not the fault of the card: another one would not help.
    if (result.errored) console.error(`The sale for order ${id} failed: ${result.responsetext}`);
    return {
      paid: false,
      message: result.errored ? notPossible : 'The card was declined. Please try another one.',
    };
  }

  const app = express();
  app.disable('x-powered-by');
  // Before any body parser: the signature covers the raw bytes.
  app.post('/webhooks', receiver.node);
  app.use((_request, response, next) => {
    response.set(
      'content-security-policy',
      policyFor(browser.baseUrl, payments.checkoutSessions.pageUrl({ id: 'cs_' })),
    );
    next();
  });
  app.get('/', (_request, response) => response.redirect(303, `/orders/${orders.create().id}`));
  app.get(
    '/orders/:id',
    handleOrder((order, _request, response) => {
      // A buyer who returns to a paid order must not pay again.
      if (order.status === 'open') response.send(orderPage(order, browser));
      else response.redirect(303, `/orders/${order.id}/thanks`);
    }),
  );
  app.post(
    '/orders/:id/checkout',
    handleOrder(async (order, request, response) => {
      if (order.status !== 'open') return response.redirect(303, `/orders/${order.id}/thanks`);
      const orderUrl = `${request.protocol}://${request.get('host')}/orders/${order.id}`;
      const session = await payments.checkoutSessions.create(
        {
          mode: 'payment',
          line_items: [
            { name: 'A pound of tea', amount: order.amount, currency: order.currency, quantity: 1 },
          ],
          success_url: `${orderUrl}/thanks`,
          cancel_url: `${orderUrl}/canceled`,
        },
        { operationId: order.id },
      );
      if (orders.get(order.id)?.status !== 'open') {
        // The buyer has paid on the shop's own page meanwhile, so this session must not be paid too.
        await payments.checkoutSessions.expire(session.id);
        return response.redirect(303, `/orders/${order.id}/thanks`);
      }
      // Before the redirect, because the webhook finds the order by it.
      orders.update(order.id, { sessionId: session.id });
      response.redirect(303, payments.checkoutSessions.pageUrl(session));
    }),
  );
  app.post(
    '/orders/:id/pay',
    express.json(),
    handleOrder(async (order, request, response) => {
      const payment = readPayment(request.body);
      if (payment === undefined) response.status(400).json({ paid: false, message: 'Something is missing.' });
      else response.json(await charge(order, payment, request.ip ?? ''));
    }),
  );
  app.get(
    '/orders/:id/thanks',
    handleOrder((order, _request, response) => response.send(statusPage(order))),
  );
  app.get(
    '/orders/:id/canceled',
    handleOrder(async (order, _request, response) => {
      // Expire the session, because it could be paid for another day. The webhook confirms that it has expired.
      if (order.sessionId !== undefined && order.status === 'open')
        await payments.checkoutSessions.expire(order.sessionId);
      response.send(statusPage({ ...order, status: order.status === 'open' ? 'canceled' : order.status }));
    }),
  );
  app.get('/payments-client/browser.js', (_request, response) =>
    response.type('js').sendFile(browserModule, { dotfiles: 'allow' }),
  );
  app.use(express.static(new URL('public', import.meta.url).pathname));
  return app;
}

/** Returns why an order must not be charged now, or `undefined`. */
function refusalOf({ status, sessionId }: Order): string | undefined {
  if (status !== 'open') return 'This order cannot be paid any more.';
  // Otherwise both ways could charge the buyer.
  return sessionId === undefined
    ? undefined
    : 'You have begun to pay on the payment page. Please go on there.';
}

/** The sources that the pages may load: their own files, and the service's scripts and frames. */
function policyFor(service: string, checkout: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${service}`,
    `connect-src 'self' ${service}`,
    `frame-src ${service}`,
    "style-src 'self'",
    'img-src data:',
    // The order's form redirects to the hosted page.
    `form-action 'self' ${new URL(checkout).origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
