import type { HonoRequest } from 'hono';
import { html } from 'hono/html';
import { originOf } from '../../api/server/origin.ts';
import { cardForm, expiryAfter } from '../card-form/card-form-html.ts';
import { type Html, showPage } from '../page.ts';

/** The values that the frame needs. */
export interface FrameFacts {
  /** The public key. The frame sends it with each card. */
  readonly publicKey: string;
  /** The time of the sandbox, in milliseconds since 1970. */
  readonly now: number;
}

/** Renders the card form. Without its script the form is a POST, so that no card number gets into a URL. */
function bodyOf(origin: string, { publicKey, now }: FrameFacts): Html {
  return html`<main class="frame" data-origin="${origin}" data-expiry="${expiryAfter(now)}">
<h1>Your card</h1>
<form method="post" action="/browser/tokens" novalidate>
<input type="hidden" name="apiKey" value="${publicKey}">
<p class="problem" id="failure" role="alert"></p>
${cardForm()}
<button>Use this card</button>
<p class="done" id="done" role="status"></p>
</form>
<p class="soft note">Sandbox: no money moves.</p>
<details>
<summary>Test cards</summary>
<ul></ul>
</details>
</main>`;
}

function showNone(): Promise<Response> {
  const body = html`<main class="frame"><h1>No card fields on this page</h1>
<p>Expected ?origin= with the http or https origin of the shop's page. Show the card fields by CollectJS.js, from a page
that a server sends.</p></main>`;
  return showPage({ title: 'No card fields', body, style: 'frames.css', status: 400 });
}

/** Serves the frame that a card is typed into. Only the page that opened it may embed it. */
export function showCardFields(request: HonoRequest, facts: FrameFacts): Promise<Response> {
  const origin = originOf(request.query('origin') ?? null);
  if (origin === undefined) return showNone();
  const body = bodyOf(origin, facts);
  return showPage({
    title: 'Your card',
    body,
    style: 'frames.css',
    script: 'card-fields.js',
    framedBy: origin,
  });
}
