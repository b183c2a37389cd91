import { Hono } from 'hono';
import { assetPath, serveAsset } from './assets.ts';
import { cardFieldsPages } from './card-fields/card-fields-pages.ts';
import { checkoutPages } from './checkout/checkout-pages.ts';
import { dashboardPages } from './dashboard/dashboard-page.ts';
import { gatewayPages } from './gateway/gateway-pages.ts';
import type { PageContext } from './page-context.ts';

/** Serves all browser pages: the service's scripts, the hosted checkout and the dashboard. */
export function createPages(parts: PageContext): Hono {
  const app = new Hono();
  app.get(assetPath(':name'), ({ req }) => serveAsset(req.param('name')));
  app.route('/', gatewayPages(parts));
  app.route('/', cardFieldsPages(parts));
  app.route('/', checkoutPages(parts));
  app.route('/', dashboardPages(parts));
  return app;
}
