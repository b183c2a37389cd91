import { html } from 'hono/html';
import { originOf } from '../../api/server/origin.ts';
import { cardForm, expiryAfter, type Problems } from '../card-form/card-form-html.ts';
import { field } from '../card-form/form-field.ts';
import type { DeclineTexts, Texts } from '../languages/texts.ts';
import type { Html } from '../page.ts';
import type { Answers } from './answers.ts';
import { type BuyerView, purposeOf } from './buyer-view.ts';
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
  readonly declined?: keyof DeclineTexts | undefined;
}

function isWrong({ problems, declined }: Attempt): boolean {
  return declined !== undefined || Object.keys(problems).length > 0;
}

/** Renders the error summary at the top, with a link to each field. It takes the focus. */
function mistakesOf(attempt: Attempt, { declines, mistakes }: Texts): Html | string {
  if (!isWrong(attempt)) return '';
  const { problems, declined } = attempt;
  const entries = Object.entries(problems);
  const links = entries.map(([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`);
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
${declined === undefined ? html`<p>${mistakes}</p><ul>${links}</ul>` : html`<p>${declines[declined]}</p>`}
</div>`;
}

function groupOf({ title, fields }: Questions, { answers, problems }: Attempt, texts: Texts): Html {
  const inputs = fields.map((one) =>
    field({ ...one, value: answers[one.name] ?? one.value, problem: problems[one.name] }, texts),
  );
  return html`<fieldset><legend>${title}</legend>${inputs}</fieldset>`;
}

function formOf(view: BuyerView, attempt: Attempt): Html {
  const { session, language, now } = view;
  const { texts } = language;
  const groups = questionsOf(session.collect_config, language).map((group) => groupOf(group, attempt, texts));
  const card = cardForm(attempt.problems, isWrong(attempt), { texts, now });
  return html`<form method="post" action="${checkoutPath(session.id)}" novalidate>
${groups}
<fieldset><legend>${texts.card}</legend>${card}</fieldset>
<button data-busy="${texts.paying}">${purposeOf(view)}</button>
</form>`;
}

function cancelLink(address: string | null, { cancel }: Texts): Html | string {
  if (address === null || originOf(address) === undefined) return '';
  return html`<p><a href="${address}">${cancel(new URL(address).host)}</a></p>`;
}

/** Renders the expiry in UTC. The page's script converts it to the buyer's time zone. */
function expiryOf({ session, language }: BuyerView): Html {
  const time = new Date(session.expires_at * 1000);
  const { texts, locale } = language;
  const text = time.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return html`<p class="soft">${texts.openUntil} <time datetime="${time.toISOString()}">${text} UTC</time></p>`;
}

function statusOf(attempt: Attempt): number {
  if (attempt.declined !== undefined) return 402;
  return isWrong(attempt) ? 422 : 200;
}

/** Shows the page of a session that can be paid. */
export function showOpen(view: BuyerView, attempt?: Attempt): Promise<Response> {
  const { session, language, now } = view;
  const { texts } = language;
  const shown = attempt ?? { answers: { email: session.customer_email ?? '' }, problems: {} };
  const purpose = purposeOf(view);
  return showShopPage(view, {
    title: isWrong(shown) ? texts.error(purpose) : purpose,
    heading: texts.checkout,
    status: statusOf(shown),
    content: html`${orderSummary(view)}
<section class="payment" aria-labelledby="payment">
<h2 id="payment">${texts.payment}</h2>
${mistakesOf(shown, texts)}
${formOf(view, shown)}
${cancelLink(session.cancel_url, texts)}
${expiryOf(view)}
<p class="soft">${texts.sandbox}</p>
<details class="test-cards" lang="en" dir="ltr" data-expiry="${expiryAfter(now)}" hidden><summary>Test cards</summary><ul></ul></details>
</section>`,
  });
}
