import { html } from 'hono/html';
import { subscriptionPeriod } from '../../domain/object-defaults.ts';
import type { Html } from '../page.ts';
import { type BuyerView, moneyOf } from './buyer-view.ts';

const day = 24 * 60 * 60;

/** Renders the price and the period of a subscription. No field names the period, so it is the sandbox's own. */
function recurrenceOf(view: BuyerView): Html | string {
  const { session, language, now } = view;
  if (session.mode !== 'subscription') return '';
  const { texts, locale } = language;
  const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const next = new Date(now + subscriptionPeriod * 1000);
  const date = next.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const amount = moneyOf(view)(session.amount_total);
  return html`<p class="recurring"><strong>${texts.recurring(amount, days.format(subscriptionPeriod / day))}</strong>
<span class="soft">${texts.firstPayment(date)}</span></p>`;
}

/**
 * Renders the order. It is open in the HTML, so that nothing is hidden without a script; the script folds it on
 * narrow screens.
 */
export function orderSummary(view: BuyerView): Html {
  const { session, language } = view;
  const { order, total } = language.texts;
  const money = moneyOf(view);
  const lines = session.line_items.map(
    ({
      name,
      quantity,
      amount,
    }) => html`<li><span><bdi>${name}</bdi> <span class="soft">${quantity} × ${money(amount)}</span></span>
<span>${money(amount * quantity)}</span></li>`,
  );
  return html`<details class="order" open>
<summary><h2>${order}</h2> <strong class="glance">${money(session.amount_total)}</strong></summary>
<ul>${lines}</ul>
<p class="total"><span>${total}</span> <strong>${money(session.amount_total)}</strong></p>
${recurrenceOf(view)}
</details>`;
}
