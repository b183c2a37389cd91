import { Hono } from 'hono';
import { operations } from '../api/operation.ts';
import { eventCatalog } from '../sdk.ts';
import type { PageContext } from './pages.ts';
import { showPage } from './show-page.tsx';

const types = [...Object.keys(eventCatalog), 'chargeback.received'].join(' ');

/** Serves the dashboard. A reader of the page can use the sandbox, but does not get its secret key. */
export function dashboardPages({ dashboardKey, settings: { publicKey } }: PageContext): Hono {
  const app = new Hono();
  const values = { 'data-key': dashboardKey, 'data-public-key': publicKey };
  const body = (
    <div class="app" {...values} data-types={types} data-operations={operations.join(' ')}>
      <noscript>The dashboard needs JavaScript.</noscript>
    </div>
  );
  app.get('/', () => showPage({ title: 'Sandbox', body, style: 'dashboard.css', script: 'dashboard.js' }));
  return app;
}
