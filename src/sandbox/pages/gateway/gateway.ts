import { Hono } from 'hono';
import { serveAsset } from '../assets.ts';
import type { PageParts } from '../parts.ts';

/** The service's browser scripts, and what they ask for. */
export function gatewayPages({ exchange }: PageParts): Hono {
  const app = new Hono();
  app.get('/js/Gateway.js', ({ req }) => exchange.show(req, 'scripts.load', () => serveAsset('Gateway.js')));
  return app;
}
