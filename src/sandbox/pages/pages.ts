import { Hono } from 'hono';
import { assetPath, serveAsset } from './assets.ts';
import { cardFieldsPages } from './card-fields/card-fields.ts';
import { checkoutPages } from './checkout/checkout.ts';
import { dashboardPages } from './dashboard/dashboard.ts';
import { gatewayPages } from './gateway/gateway.ts';
import type { PageParts } from './parts.ts';

/** What a browser asks the sandbox for: the service's scripts, the hosted checkout, and the dashboard. */
export function createPages(parts: PageParts): Hono {
  const app = new Hono();
  app.get(assetPath(':name'), ({ req }) => serveAsset(req.param('name')));
  app.route('/', gatewayPages(parts));
  app.route('/', cardFieldsPages(parts));
  app.route('/', checkoutPages(parts));
  app.route('/', dashboardPages(parts));
  return app;
}
