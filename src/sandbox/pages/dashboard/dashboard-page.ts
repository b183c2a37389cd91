import { Hono } from 'hono';
import { html } from 'hono/html';
import { eventCatalog } from '../../../webhooks/events/catalog.ts';
import { routeNames } from '../../api/operation.ts';
import { type Html, showPage } from '../page.ts';
import type { PageContext } from '../page-context.ts';

const types = [...Object.keys(eventCatalog), 'chargeback.received'].join(' ');
const operations = ['transact.submit', ...routeNames].join(' ');

/**
 * Renders the values that the script needs. A reader of the page can use the sandbox, but does not get its secret
 * key.
 */
function shellOf(dashboardKey: string, publicKey: string): Html {
  return html`<div class="app" data-key="${dashboardKey}" data-public-key="${publicKey}" data-types="${types}"
data-operations="${operations}"><noscript>The dashboard needs JavaScript.</noscript></div>`;
}

/** Serves the dashboard. */
export function dashboardPages({ dashboardKey, settings }: PageContext): Hono {
  const app = new Hono();
  const body = shellOf(dashboardKey, settings.publicKey);
  app.get('/', () => showPage({ title: 'Sandbox', body, style: 'dashboard.css', script: 'dashboard.js' }));
  return app;
}
