import { html } from 'hono/html';
import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import { originOf } from '../../api/server/origin.ts';
import { cardForm, expiryAfter, type Problems } from '../card-form/card-form-html.ts';
import { type Field, field } from '../card-form/form-field.ts';
import { type Html, showPage } from '../page.ts';
import { moneyWriter } from './amount-text.ts';
import type { Answers } from './answers.ts';
import { checkoutPath } from './path.ts';
import { type Questions, questionsOf } from './questions.ts';

/** What became of an attempt to pay. */
export interface Attempt {
  /** What the buyer had answered, so that only the card must be typed in again. */
  readonly answers: Answers;
  /** What is wrong with which field. */
  readonly problems: Problems;
  /** Why the card was declined; `undefined` where it was not tried. */
  readonly declined?: string | undefined;
}

type Money = (amount: number) => string;

function orderOf({ line_items, amount_total }: CheckoutSession, money: Money): Html {
  const lines = line_items.map(
    ({
      name,
      quantity,
      amount,
    }) => html`<li><span>${name} <span class="soft">${quantity} × ${money(amount)}</span></span>
<span>${money(amount * quantity)}</span></li>`,
  );
  return html`<section class="order" aria-labelledby="order">
<h2 id="order">Your order</h2>
<ul>${lines}</ul>
<p class="total"><span>Total</span> <strong>${money(amount_total)}</strong></p>
</section>`;
}

function isWrong({ problems, declined }: Attempt): boolean {
  return declined !== undefined || Object.keys(problems).length > 0;
}

/** What is wrong, at the top, where the focus is: a link to each field. */
function summaryOf(attempt: Attempt): Html | string {
  if (!isWrong(attempt)) return '';
  const { problems, declined } = attempt;
  const entries = Object.entries(problems);
  const links = entries.map(([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`);
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
${declined === undefined ? html`<p>Something is not right yet:</p><ul>${links}</ul>` : html`<p>${declined}</p>`}
</div>`;
}

function groupOf({ title, fields }: Questions, { answers, problems }: Attempt): Html {
  const inputs = fields.map((one: Field) =>
    field({ ...one, value: answers[one.name], problem: problems[one.name] }),
  );
  return html`<fieldset><legend>${title}</legend>${inputs}</fieldset>`;
}

function formOf(session: CheckoutSession, attempt: Attempt, money: Money): Html {
  const groups = questionsOf(session.collect_config).map((group) => groupOf(group, attempt));
  const verb = session.mode === 'subscription' ? 'Subscribe for' : 'Pay';
  return html`<form method="post" action="${checkoutPath(session.id)}" novalidate>
${groups}
<fieldset><legend>Card</legend>${cardForm(attempt.problems, isWrong(attempt))}</fieldset>
<button>${verb} ${money(session.amount_total)}</button>
</form>`;
}

function cancelLink(address: string | null): Html | string {
  if (address === null || originOf(address) === undefined) return '';
  return html`<p><a href="${address}">Cancel and go back to ${new URL(address).host}</a></p>`;
}

/** Until when, in a way that needs no knowledge of where the buyer is. */
function expiryOf({ expires_at }: CheckoutSession): Html {
  const time = new Date(expires_at * 1000);
  const text = time.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return html`<p class="soft">You can pay here until <time datetime="${time.toISOString()}">${text} UTC</time>.</p>`;
}

function statusOf(attempt: Attempt): number {
  if (attempt.declined !== undefined) return 402;
  return isWrong(attempt) ? 422 : 200;
}

/**
 * The page of a session that can be paid.
 *
 * @param now The time, in milliseconds since 1970.
 */
export function showOpen(session: CheckoutSession, now: number, attempt?: Attempt): Promise<Response> {
  const { currency, locale, success_url, cancel_url, customer_email } = session;
  const money = moneyWriter(currency, locale);
  const shown = attempt ?? { answers: { email: customer_email ?? '' }, problems: {} };
  const success = originOf(success_url);
  return showPage({
    title: `${isWrong(shown) ? 'Error: ' : ''}Pay ${money(session.amount_total)}`,
    body: html`<main class="checkout">
<h1>Checkout</h1>
${orderOf(session, money)}
<section class="payment" aria-labelledby="payment">
<h2 id="payment">Payment</h2>
${summaryOf(shown)}
${formOf(session, shown, money)}
${cancelLink(cancel_url)}
${expiryOf(session)}
<p class="soft">Sandbox: no money moves.</p>
<details data-expiry="${expiryAfter(now)}" hidden><summary>Test cards</summary><ul></ul></details>
</section>
</main>`,
    style: 'pages.css',
    script: 'checkout.js',
    status: statusOf(shown),
    // Chromium holds a form's redirect against this as well.
    formsLeadTo: success === undefined ? [] : [success],
  });
}
