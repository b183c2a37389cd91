import { html } from 'hono/html';
import { originOf } from '../../api/server/origin.ts';
import type { Language } from '../languages/language-of.ts';
import type { ClosedTexts } from '../languages/texts.ts';
import { type Html, showPage } from '../page.ts';

/** A page of a session that cannot be paid. */
export interface ClosedPage {
  readonly language: Language;
  readonly merchantName: string;
  /** The title and the text. */
  readonly closed: ClosedTexts;
  readonly status: number;
  /** The link's target; `null` for no link. */
  readonly next: string | null;
}

function linkTo(address: string | null, goTo: (host: string) => string): Html | string {
  if (address === null || originOf(address) === undefined) return '';
  return html`<p><a class="button" href="${address}">${goTo(new URL(address).host)}</a></p>`;
}

/** Shows why the session cannot be paid, with a link back to the shop. */
export function showClosed({ language, merchantName, closed, status, next }: ClosedPage): Promise<Response> {
  const { texts, locale, direction } = language;
  const { title, text } = closed;
  const body = html`<main class="closed">
<p class="merchant"><bdi>${merchantName}</bdi></p>
<h1>${title}</h1>
<p>${text}</p>
${linkTo(next, texts.goTo)}
<p class="soft note">${texts.sandbox}</p>
</main>`;
  const shown = `${title} · ${merchantName}`;
  return showPage({ title: shown, body, style: 'pages.css', status, language: locale, direction });
}
