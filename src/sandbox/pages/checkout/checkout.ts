import { Hono } from 'hono';
import { html } from 'hono/html';
import { showPage } from '../page.ts';
import type { PageParts } from '../parts.ts';
import { checkoutPath } from './path.ts';

/** The hosted checkout: a page for each session, where the buyer pays. */
export function checkoutPages({ exchange }: PageParts): Hono {
  const app = new Hono();
  app.get(checkoutPath(':id'), ({ req }) =>
    exchange.show(req, 'checkout.show', () =>
      showPage({ title: 'Checkout', body: html`<main></main>`, style: 'pages.css' }),
    ),
  );
  return app;
}
