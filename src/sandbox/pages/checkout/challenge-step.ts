import { html } from 'hono/html';
import { moneyText } from '../../domain/money-text.ts';
import type { Html } from '../page.ts';
import { texts } from '../texts.ts';
import type { Answers } from './answers.ts';
import type { BuyerView } from './buyer-view.ts';
import { checkoutPath } from './path.ts';
import { showShopPage } from './shop-page.ts';

/** A 3-D Secure challenge that the buyer must answer before the payment. */
export interface Challenge {
  /** The challenge's id. */
  readonly challenge: string;
  /** The buyer's input so far. The page sends it again, since the server stores nothing before a payment. */
  readonly answers: Answers;
}

function carried(answers: Answers): Html[] {
  return Object.entries(answers).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** Shows the 3-D Secure challenge, between card entry and payment. */
export function showChallengeStep(view: BuyerView, { challenge, answers }: Challenge): Promise<Response> {
  const { session, merchantName } = view;
  const { title, shop, amount, confirm, fail, cancel, note } = texts.challenge;
  return showShopPage(view, {
    title,
    heading: title,
    status: 200,
    content: html`<section class="payment">
<dl>
<div><dt>${shop}</dt><dd><bdi>${merchantName}</bdi></dd></div>
<div><dt>${amount}</dt><dd>${moneyText(session.amount_total, session.currency)}</dd></div>
</dl>
<form method="post" action="${checkoutPath(session.id)}" class="actions">
<input type="hidden" name="challenge" value="${challenge}">
${carried(answers)}
<button name="answer" value="passed">${confirm}</button>
<button name="answer" value="failed" class="secondary">${fail}</button>
<button name="answer" value="unanswered" class="secondary">${cancel}</button>
</form>
<p class="soft">${texts.sandbox} ${note}</p>
</section>`,
  });
}
