import { html } from 'hono/html';
import { originOf } from '../../api/server/origin.ts';
import { type Html, showPage } from '../page.ts';
import type { BuyerView } from './buyer-view.ts';

/** The parts of a session's page that differ from page to page. */
interface ShopPage {
  readonly title: string;
  readonly heading: string;
  /** The content below the heading. */
  readonly content: Html;
  readonly status: number;
}

/** Sends a page with the shop's name. Its forms may redirect to that shop. */
export function showShopPage(
  { session, merchantName }: BuyerView,
  { title, heading, content, status }: ShopPage,
): Promise<Response> {
  const success = originOf(session.success_url);
  return showPage({
    title: `${title} · ${merchantName}`,
    body: html`<main class="checkout">
<header><p class="merchant"><bdi>${merchantName}</bdi></p>
<h1>${heading}</h1></header>
${content}
</main>`,
    style: 'pages.css',
    script: 'checkout.js',
    status,
    // Chromium applies `form-action` to the redirect after a form too.
    formsLeadTo: success === undefined ? [] : [success],
  });
}
