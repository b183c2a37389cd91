import { html } from 'hono/html';
import type { State } from '../../domain/state.ts';
import { openChallenge } from '../../transact/three-d-secure.ts';
import { type Html, showPage } from '../page.ts';

/** The payment's details as the shop sent them, unverified. */
interface Order {
  readonly amount: string;
  readonly currency: string;
}

function bodyOf(origin: string, { amount, currency }: Order): Html {
  return html`<main class="frame" data-origin="${origin}">
<h1 id="title" tabindex="-1">Your bank asks you to confirm</h1>
<dl>
<div><dt>Shop</dt><dd>${origin}</dd></div>
<div><dt>Amount</dt><dd>${amount} ${currency}</dd></div>
</dl>
<div class="actions">
<button type="button" data-answer="passed">Confirm payment</button>
<button type="button" class="secondary" data-answer="failed">Fail the verification</button>
<button type="button" class="secondary" data-answer="unanswered">Cancel</button>
</div>
<p class="soft note">Sandbox: no money moves. This simulates the page of the card's bank.</p>
</main>`;
}

function showNone(): Promise<Response> {
  const body = html`<main class="frame"><h1>There is no such challenge</h1>
<p>It was answered, or it never began. Begin the payment again in the shop.</p></main>`;
  return showPage({ title: 'No challenge', body, style: 'frames.css', status: 404 });
}

/** Shows the issuer's challenge page. Only the page that asked for it may embed it. */
export function showChallenge(state: State, id: string, order: Order): Promise<Response> {
  const challenge = openChallenge(state, id);
  if (challenge === undefined) return showNone();
  const { origin } = challenge;
  const body = bodyOf(origin, order);
  return showPage({
    title: "The bank's question",
    body,
    style: 'frames.css',
    script: 'challenge.js',
    framedBy: origin,
  });
}
