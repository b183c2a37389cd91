import { html } from 'hono/html';
import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import { originOf } from '../../api/server/origin.ts';
import { moneyText } from '../../domain/money-text.ts';
import { cardForm, expiryAfter, type Problems } from '../card-form/card-form-html.ts';
import { field } from '../card-form/form-field.ts';
import type { Html } from '../page.ts';
import { type Decline, texts } from '../texts.ts';
import type { Answers } from './answers.ts';
import type { BuyerView } from './buyer-view.ts';
import { orderSummary } from './order-summary.ts';
import { checkoutPath } from './path.ts';
import { type Questions, questionsOf } from './questions.ts';
import { showShopPage } from './shop-page.ts';

/** The result of a payment attempt that did not succeed. */
export interface Attempt {
  /** The buyer's input, so that only the card must be typed again. */
  readonly answers: Answers;
  /** The error message of each wrong field. */
  readonly problems: Problems;
  /** Why the payment was declined; `undefined` if none was attempted. */
  readonly declined?: Decline | undefined;
}

function isWrong({ problems, declined }: Attempt): boolean {
  return declined !== undefined || Object.keys(problems).length > 0;
}

/** Renders the error summary at the top, with a link to each field. It takes the focus. */
function mistakesOf(attempt: Attempt): Html | string {
  if (!isWrong(attempt)) return '';
  const { problems, declined } = attempt;
  const { declines, mistakes } = texts;
  const entries = Object.entries(problems);
  const links = entries.map(([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`);
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
${declined === undefined ? html`<p>${mistakes}</p><ul>${links}</ul>` : html`<p>${declines[declined]}</p>`}
</div>`;
}

function groupOf({ title, fields }: Questions, { answers, problems }: Attempt): Html {
  const inputs = fields.map((one) =>
    field({ ...one, value: answers[one.name], problem: problems[one.name] }),
  );
  return html`<fieldset><legend>${title}</legend>${inputs}</fieldset>`;
}

/** Returns the label of the pay button: what the buyer does, and the amount. */
function purposeOf({ mode, amount_total, currency }: CheckoutSession): string {
  const amount = moneyText(amount_total, currency);
  return mode === 'subscription' ? texts.subscribe(amount) : texts.pay(amount);
}

function formOf({ session, now }: BuyerView, attempt: Attempt): Html {
  const groups = questionsOf(session.collect_config).map((group) => groupOf(group, attempt));
  const card = cardForm(attempt.problems, isWrong(attempt), now);
  return html`<form method="post" action="${checkoutPath(session.id)}" novalidate>
${groups}
<fieldset><legend>${texts.card}</legend>${card}</fieldset>
<button data-busy="${texts.paying}">${purposeOf(session)}</button>
</form>`;
}

function cancelLink(address: string | null): Html | string {
  if (address === null || originOf(address) === undefined) return '';
  return html`<p><a href="${address}">${texts.cancel(new URL(address).host)}</a></p>`;
}

/** Renders the expiry in UTC. The page's script converts it to the buyer's time zone. */
function expiryOf({ expires_at }: CheckoutSession): Html {
  const time = new Date(expires_at * 1000);
  const text = time.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return html`<p class="soft">${texts.openUntil} <time datetime="${time.toISOString()}">${text} UTC</time></p>`;
}

function statusOf(attempt: Attempt): number {
  if (attempt.declined !== undefined) return 402;
  return isWrong(attempt) ? 422 : 200;
}

/** Shows the page of a session that can be paid. */
export function showOpen(view: BuyerView, attempt?: Attempt): Promise<Response> {
  const { session, now } = view;
  const shown = attempt ?? { answers: { email: session.customer_email ?? '' }, problems: {} };
  const purpose = purposeOf(session);
  return showShopPage(view, {
    title: isWrong(shown) ? texts.error(purpose) : purpose,
    heading: texts.checkout,
    status: statusOf(shown),
    content: html`${orderSummary(view)}
<section class="payment" aria-labelledby="payment">
<h2 id="payment">${texts.payment}</h2>
${mistakesOf(shown)}
${formOf(view, shown)}
${cancelLink(session.cancel_url)}
${expiryOf(session)}
<p class="soft">${texts.sandbox}</p>
<details class="test-cards" data-expiry="${expiryAfter(now)}" hidden><summary>Test cards</summary><ul></ul></details>
</section>`,
  });
}
