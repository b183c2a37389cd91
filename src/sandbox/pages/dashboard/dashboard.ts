import { Hono } from 'hono';
import { html } from 'hono/html';
import { checkHost } from '../../control/admit.ts';
import { showPage } from '../page.ts';
import type { PageParts } from '../parts.ts';

/** The dashboard: the sandbox on screen. */
export function dashboardPages({ dashboardKey }: PageParts): Hono {
  const app = new Hono();
  app.get('/', ({ req }) => {
    checkHost(req.raw);
    const body = html`<main id="dashboard" data-key="${dashboardKey}"></main>`;
    return showPage({ title: 'Sandbox', body, style: 'dashboard.css', script: 'dashboard.js' });
  });
  return app;
}
