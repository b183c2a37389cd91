import { html } from 'hono/html';
import { originOf } from '../../api/server/origin.ts';
import { type Html, showPage } from '../page.ts';
import { texts } from '../texts.ts';

/** A page of a session that cannot be paid. */
export interface ClosedPage {
  readonly merchantName: string;
  /** The title and the text. */
  readonly closed: { readonly title: string; readonly text: string };
  readonly status: number;
  /** The link's target; `null` for no link. */
  readonly next: string | null;
}

function linkTo(address: string | null): Html | string {
  if (address === null || originOf(address) === undefined) return '';
  return html`<p><a class="button" href="${address}">${texts.goTo(new URL(address).host)}</a></p>`;
}

/** Shows why the session cannot be paid, with a link back to the shop. */
export function showClosed({ merchantName, closed, status, next }: ClosedPage): Promise<Response> {
  const { title, text } = closed;
  const body = html`<main class="closed">
<p class="merchant"><bdi>${merchantName}</bdi></p>
<h1>${title}</h1>
<p>${text}</p>
${linkTo(next)}
<p class="soft note">${texts.sandbox}</p>
</main>`;
  return showPage({ title: `${title} · ${merchantName}`, body, style: 'pages.css', status });
}
