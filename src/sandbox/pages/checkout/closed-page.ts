import { html } from 'hono/html';
import { originOf } from '../../api/server/origin.ts';
import { type Html, showPage } from '../page.ts';

/** A page where nothing can be paid. */
export interface ClosedPage {
  readonly title: string;
  readonly text: string;
  readonly status: number;
  /** Where the buyer can go on; `null` where there is no such page. */
  readonly next: string | null;
}

function linkTo(address: string | null): Html | string {
  if (address === null || originOf(address) === undefined) return '';
  return html`<p><a class="button" href="${address}">Go to ${new URL(address).host}</a></p>`;
}

/** Says why nothing can be paid here, and where the buyer can go on. */
export function showClosed({ title, text, status, next }: ClosedPage): Promise<Response> {
  const body = html`<main class="closed">
<h1>${title}</h1>
<p>${text}</p>
${linkTo(next)}
<p class="soft note">Sandbox: no money moves.</p>
</main>`;
  return showPage({ title, body, style: 'pages.css', status });
}
