/** The shop's page of an order. It never contains input of a buyer. */

import { formatAmount, toDecimalAmount } from 'payments-client';
import type { OrderView } from 'payments-client/orders';
import type { BrowserSettings } from './policy.ts';

const texts = {
  unpaid: 'It is not paid yet.',
  part_paid: 'A part of it is paid. Your tea ships when all of it is.',
  in_progress: 'We do not know yet whether you have paid. Please do not pay again; we will write.',
  authorized: 'Your bank has reserved the money.',
  paid: 'Your order is paid. The tea is on its way.',
  canceled: 'Your order is canceled. What you have paid goes back.',
};

const inputs = [
  ['firstName', 'First name', 'billing given-name'],
  ['lastName', 'Last name', 'billing family-name'],
  ['email', 'E-mail', 'email'],
  ['phone', 'Phone', 'tel'],
  ['address1', 'Street', 'billing address-line1'],
  ['city', 'City', 'billing address-level2'],
  ['state', 'State', 'billing address-level1'],
  ['zip', 'ZIP code', 'billing postal-code'],
].map(
  ([name, label, hint]) => `<label>${label} <input name="${name}" autocomplete="${hint}" required></label>`,
);

/** The forms in which the buyer chooses how to pay. */
const formsOf = (id: string) => `<section><h2>Pay on the payment page</h2>
<form method="post" action="/orders/${id}/checkout"><button>Go to the payment page</button></form></section>
<section><h2>Pay here</h2>
<form id="buyer"><fieldset><legend>Billing address</legend>${inputs.join('\n')}
<button>Continue to the card</button></fieldset></form><div id="card-fields"></div>
<p id="progress" class="message" role="status"></p><p id="problem" class="message" role="alert"></p></section>
<section><form method="post" action="/orders/${id}/cancel"><button>Cancel the order</button></form></section>
<script type="module" src="/shop.js"></script>`;

/** Returns the page of an order, with what is true of it now. */
export function orderPage(view: OrderView, { baseUrl, publicKey }: BrowserSettings): string {
  const { id, state, due, total } = view;
  const isPayable = state === 'unpaid' || state === 'part_paid';
  const [price, rest] = [total, due].map(({ amount, currency }) => formatAmount(amount, currency, 'en'));
  const toPay = isPayable ? ` To pay: <strong>${rest}</strong>.` : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Your order · Tea shop</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css"></head>
<body><header><a href="/">Tea shop</a></header>
<main data-status="${state}" data-order="${id}" data-amount="${toDecimalAmount(due.amount, due.currency)}"
 data-base-url="${baseUrl}" data-api-key="${publicKey}"><h1>Your order</h1>
<p>${texts[state]} Price: ${price}.${toPay}</p>
${isPayable ? formsOf(id) : '<p><a href="/">Order again</a></p>'}</main></body></html>`;
}
