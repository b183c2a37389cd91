import { Hono } from 'hono';
import { assetPath, serveAsset } from './assets.ts';
import { cardFieldsPages } from './card-fields-page.tsx';
import { checkoutPages } from './checkout/checkout-pages.ts';
import { dashboardPages } from './dashboard-page.tsx';
import { gatewayPages } from './gateway-pages.tsx';
import type * as pages from './pages.ts';

/** Serves the service's scripts, the hosted checkout and the dashboard. */
export const createPages: typeof pages.createPages = (context) => {
  const app = new Hono();
  app.get(assetPath(':name'), ({ req }) => serveAsset(req.param('name')));
  for (const pagesOf of [gatewayPages, cardFieldsPages, checkoutPages, dashboardPages]) {
    app.route('/', pagesOf(context));
  }
  return app;
};
