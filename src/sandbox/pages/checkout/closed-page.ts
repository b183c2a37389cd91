import { html } from 'hono/html';
import { originOf } from '../../api/server/origin.ts';
import type { Language } from '../languages/language-of.ts';
import type { ClosedTexts } from '../languages/texts.ts';
import { type Html, showPage } from '../page.ts';

/** A page where nothing can be paid. */
export interface ClosedPage {
  readonly language: Language;
  readonly merchantName: string;
  /** What the buyer reads. */
  readonly closed: ClosedTexts;
  readonly status: number;
  /** Where the buyer can go on; `null` where there is no such page. */
  readonly next: string | null;
}

function linkTo(address: string | null, goTo: (host: string) => string): Html | string {
  if (address === null || originOf(address) === undefined) return '';
  return html`<p><a class="button" href="${address}">${goTo(new URL(address).host)}</a></p>`;
}

/** Says why nothing can be paid here, and where the buyer can go on. */
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
