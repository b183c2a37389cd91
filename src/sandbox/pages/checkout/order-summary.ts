import { html } from 'hono/html';
import { moneyText } from '../../domain/money-text.ts';
import { subscriptionPeriod } from '../../domain/object-defaults.ts';
import type { Html } from '../page.ts';
import { texts } from '../texts.ts';
import type { BuyerView } from './buyer-view.ts';

const day = 24 * 60 * 60;

/** Renders the price and the period of a subscription. No field names the period, so it is the sandbox's own. */
function recurrenceOf({ session, now }: BuyerView): Html | string {
  if (session.mode !== 'subscription') return '';
  const next = new Date(now + subscriptionPeriod * 1000);
  const date = next.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
  const amount = moneyText(session.amount_total, session.currency);
  return html`<p class="recurring"><strong>${texts.recurring(amount, subscriptionPeriod / day)}</strong>
<span class="soft">${texts.firstPayment(date)}</span></p>`;
}

/**
 * Renders the order. It is open in the HTML, so that nothing is hidden without a script; the script folds it on
 * narrow screens.
 */
export function orderSummary(view: BuyerView): Html {
  const { session } = view;
  const money = (amount: number) => moneyText(amount, session.currency);
  const lines = session.line_items.map(
    ({
      name,
      quantity,
      amount,
    }) => html`<li><span><bdi>${name}</bdi> <span class="soft">${quantity} × ${money(amount)}</span></span>
<span>${money(amount * quantity)}</span></li>`,
  );
  return html`<details class="order" open>
<summary><h2>${texts.order}</h2> <strong class="glance">${money(session.amount_total)}</strong></summary>
<ul>${lines}</ul>
<p class="total"><span>${texts.total}</span> <strong>${money(session.amount_total)}</strong></p>
${recurrenceOf(view)}
</details>`;
}
