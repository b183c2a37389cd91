import { html } from 'hono/html';
import { originOf } from '../../api/server/origin.ts';
import { type Html, showPage } from '../page.ts';
import type { BuyerView } from './buyer-view.ts';

/** A page of a session, without what all of them have. */
interface ShopPage {
  readonly title: string;
  readonly heading: string;
  /** What stands below the heading. */
  readonly content: Html;
  readonly status: number;
}

/** Sends a page that says whose shop it is. Its forms may lead back to that shop. */
export function showShopPage(
  { session, language, merchantName }: BuyerView,
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
    language: language.locale,
    direction: language.direction,
    // Chromium holds a form's redirect against this as well.
    formsLeadTo: success === undefined ? [] : [success],
  });
}
