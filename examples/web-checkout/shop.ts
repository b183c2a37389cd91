/**
 * A merchant's shop. The buyer pays on its own page, with card fields, device data and 3-D Secure, or on the hosted page.
 * No card number ever reaches this program.
 */

import express, { type ErrorRequestHandler, type Express } from 'express';
import { OrderError } from 'payments-client/orders';
import type { Webhooks } from 'payments-client/webhooks';
import type { ShopOrders } from './orders.ts';
import { orderPage } from './pages.ts';
import { payByCard } from './payment.ts';
import { type BrowserSettings, policyOf } from './policy.ts';

/** The dependencies of the shop. */
export interface ShopOptions {
  readonly orders: ShopOrders;
  readonly webhooks: Webhooks;
  readonly browser: BrowserSettings;
  /** The path of `payments-client/browser`, which the pages import. A shop with a bundler includes it in its own script. */
  readonly browserModule: string;
}

/** Creates the shop. */
export function createShop({ orders, webhooks, browser, browserModule }: ShopOptions): Express {
  const app = express().disable('x-powered-by');
  const receiver = webhooks.receiver({ store: orders.store, on: orders.on, onError: console.error });
  app.post('/webhooks', receiver.node); // before any body parser: the signature covers the raw bytes
  app.use((_request, response, next) => {
    response.set({ 'content-security-policy': policyOf(browser), 'cache-control': 'no-store' });
    next();
  });
  app.get('/', (_request, response) => response.redirect(303, `/orders/${orders.create()}`));
  app.get('/orders/:id', async ({ params: { id } }, response) => {
    response.send(orderPage(await orders.refresh(id), browser)); // coming back proves nothing, so it asks the service
  });
  app.post('/orders/:id/checkout', async ({ params: { id } }, response) => {
    const checkout = await orders.checkout(id);
    response.redirect(303, checkout.state === 'open' ? checkout.url : `/orders/${id}`);
  });
  app.post('/orders/:id/cancel', async ({ params: { id } }, response) => {
    await orders.cancel(id);
    response.redirect(303, `/orders/${id}`);
  });
  app.post('/orders/:id/pay', express.json(), async ({ params: { id }, body, ip }, response) => {
    const answer = await payByCard(orders, id, body, ip);
    response.status(answer === undefined ? 400 : 200).json(answer ?? { message: 'Something is missing.' });
  });
  app.get('/payments-client/browser.js', (_request, response) =>
    response.type('js').sendFile(browserModule, { dotfiles: 'allow' }),
  );
  app.use(express.static(new URL('public', import.meta.url).pathname));
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    console.error(error);
    const isUnknown = error instanceof OrderError && error.code === 'ORDER_NOT_FOUND';
    response.status(isUnknown ? 404 : 503).send('Try again: nothing is charged or given back twice.');
  };
  app.use(onError);
  return app;
}
