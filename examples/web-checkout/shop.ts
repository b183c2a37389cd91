/**
 * A merchant's shop. The buyer pays on its own page, with card fields, device data and 3-D Secure, or on the hosted page;
 * webhooks say what became of that. No card number ever reaches this program.
 */

import express, { type Express, type Request, type Response } from 'express';
import { type PaymentsClient, PaymentsError, type TransactionResult, toDecimalAmount } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { Webhooks } from 'payments-client/webhooks';
import { type Order, Orders } from './orders.ts';
import { type BrowserSettings, orderPage, statusPage } from './pages.ts';
import { type Payment, readPayment } from './payment.ts';

/** What the shop is made from. */
export interface ShopOptions {
  readonly payments: PaymentsClient;
  readonly webhooks: Webhooks;
  readonly browser: BrowserSettings;
  /** Where the hosted page of a session is, which the interface does not show. */
  readonly checkoutUrl: (sessionId: string) => string;
  /** The file of `payments-client/browser`, which pages import. A shop with a bundler has it in its own script. */
  readonly browserModule: string;
  readonly orders?: Orders;
}

/** Makes the shop. */
export function createShop({
  payments,
  webhooks,
  browser,
  checkoutUrl,
  browserModule,
  orders = new Orders(),
}: ShopOptions): Express {
  const receiver = webhooks.receiver({
    store: memoryStore(),
    on: {
      'checkout.session.completed': ({ data }) => close(data.object.id, 'paid'),
      'checkout.session.expired': ({ data }) => close(data.object.id, 'canceled'),
    },
  });

  function close(sessionId: string, status: 'paid' | 'canceled'): void {
    const order = orders.ofSession(sessionId);
    if (order !== undefined) orders.update(order.id, { status });
  }

  /** Answers with an order's page, or 404. */
  const withOrder =
    (answer: (order: Order, request: Request, response: Response) => unknown) =>
    async (request: Request<{ id: string }>, response: Response): Promise<void> => {
      const order = orders.get(request.params.id);
      if (order === undefined) response.status(404).send('There is no such order.');
      else await answer(order, request, response);
    };

  /** Charges the token once: while it is on its way nobody else may, and after an unclear outcome a person decides. */
  async function charge(
    order: Order,
    payment: Payment,
    ipaddress: string,
  ): Promise<{ paid: boolean; message: string }> {
    const refusal = refusalOf(order, payment);
    if (refusal !== undefined) return { paid: false, message: refusal };
    orders.update(order.id, { status: 'paying' });
    try {
      const result = await payments.transact.sale(
        { amount: toDecimalAmount(order.amount, order.currency), ipaddress, ...payment },
        // What is left is an authentication that was not available: the service's scoring decides.
        { allowFailedAuthentication: true },
      );
      return settle(order.id, result);
    } catch (error) {
      const isUnpaid = error instanceof PaymentsError && error.outcome === 'not_executed';
      orders.update(order.id, { status: isUnpaid ? 'open' : 'unclear' });
      if (!isUnpaid)
        return { paid: false, message: 'We do not know yet whether you have paid. Please do not pay again.' };
      return { paid: false, message: 'The payment could not be made. Please try again.' };
    }
  }

  function settle(id: string, result: TransactionResult): { paid: boolean; message: string } {
    orders.update(id, { status: result.approved ? 'paid' : 'open', transactionId: result.transactionid });
    return {
      paid: result.approved,
      message: result.approved ? 'Paid.' : 'The card was declined. Please try another one.',
    };
  }

  const app = express();
  app.disable('x-powered-by');
  // Before anything that parses bodies: a signature is over the bytes.
  app.post('/webhooks', receiver.node);
  app.use((_request, response, next) => {
    response.set('content-security-policy', policyFor(browser.baseUrl, checkoutUrl('')));
    next();
  });
  app.get('/', (_request, response) => response.redirect(303, `/orders/${orders.create().id}`));
  app.get(
    '/orders/:id',
    withOrder((order, _request, response) => {
      // A buyer who goes back to a paid order must not pay it again.
      if (order.status === 'open') response.send(orderPage(order, browser));
      else response.redirect(303, `/orders/${order.id}/thanks`);
    }),
  );
  app.post(
    '/orders/:id/checkout',
    withOrder(async (order, request, response) => {
      if (order.status !== 'open') return response.redirect(303, `/orders/${order.id}/thanks`);
      const here = `${request.protocol}://${request.get('host')}/orders/${order.id}`;
      const session = await payments.checkoutSessions.create(
        {
          mode: 'payment',
          line_items: [
            { name: 'A pound of tea', amount: order.amount, currency: order.currency, quantity: 1 },
          ],
          success_url: `${here}/thanks`,
          cancel_url: `${here}/canceled`,
          client_reference_id: order.id,
        },
        { operationId: order.id },
      );
      if (orders.get(order.id)?.status !== 'open') {
        // Meanwhile the buyer paid on the shop's own page, so this session must not be paid too.
        await payments.checkoutSessions.expire(session.id);
        return response.redirect(303, `/orders/${order.id}/thanks`);
      }
      orders.update(order.id, { sessionId: session.id });
      response.redirect(303, checkoutUrl(session.id));
    }),
  );
  app.post(
    '/orders/:id/pay',
    express.json(),
    withOrder(async (order, request, response) => {
      const payment = readPayment(request.body);
      if (payment === undefined) response.status(400).json({ paid: false, message: 'Something is missing.' });
      else response.json(await charge(order, payment, request.ip ?? ''));
    }),
  );
  app.get(
    '/orders/:id/thanks',
    withOrder((order, _request, response) => response.send(statusPage(order))),
  );
  app.get(
    '/orders/:id/canceled',
    withOrder(async (order, _request, response) => {
      // The session would stay open for a day; ended, it cannot be paid by accident. The webhook says that it has ended.
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

/** Why an order is not charged now; `undefined` where it may be. */
function refusalOf({ status, sessionId }: Order, { threeDSecure }: Payment): string | undefined {
  if (status !== 'open') return 'This order cannot be paid any more.';
  // Else it could be paid twice, once in each way.
  if (sessionId !== undefined) return 'You have begun to pay on the payment page. Please go on there.';
  const failed = !threeDSecure.authenticated && threeDSecure.cardholder_auth !== 'U';
  return failed ? 'Your bank did not confirm that it is you. Please try again, or another card.' : undefined;
}

/** What the pages may load: their own files, and the service's scripts and frames. */
function policyFor(service: string, checkout: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${service}`,
    `connect-src 'self' ${service}`,
    `frame-src ${service}`,
    "style-src 'self'",
    'img-src data:',
    // The form of the order leads on to the hosted page.
    `form-action 'self' ${new URL(checkout).origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
