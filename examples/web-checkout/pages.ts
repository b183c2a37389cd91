/** The shop's pages. They never contain input of a buyer. */

import { toDecimalAmount } from 'payments-client';
import type { Order, OrderStatus } from './orders.ts';

/** The settings that a browser page needs to reach the service. Both are public. */
export interface BrowserSettings {
  readonly baseUrl: string;
  readonly publicKey: string;
}

function page(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tea shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
</head>
<body>
<header><a href="/">Tea shop</a></header>
${main}
</body>
</html>`;
}

function field(name: string, label: string, autocomplete: string, type = 'text'): string {
  return `<label>${label} <input name="${name}" type="${type}" autocomplete="${autocomplete}" required></label>`;
}

/** The page on which the buyer chooses how to pay. */
export function orderPage(order: Order, { baseUrl, publicKey }: BrowserSettings): string {
  const amount = toDecimalAmount(order.amount, order.currency);
  return page(
    'Your order',
    `<main data-order="${order.id}" data-amount="${amount}" data-base-url="${baseUrl}" data-api-key="${publicKey}">
<h1>Your order</h1>
<p>One pound of tea: <strong>${amount} USD</strong></p>
<section>
<h2>Pay on the payment page</h2>
<form method="post" action="/orders/${order.id}/checkout"><button>Go to the payment page</button></form>
</section>
<section>
<h2>Pay here</h2>
<form id="buyer">
<fieldset>
<legend>Billing address</legend>
${field('firstName', 'First name', 'billing given-name')}
${field('lastName', 'Last name', 'billing family-name')}
${field('email', 'E-mail', 'email', 'email')}
${field('phone', 'Phone', 'tel', 'tel')}
${field('address1', 'Street', 'billing address-line1')}
${field('city', 'City', 'billing address-level2')}
${field('state', 'State', 'billing address-level1')}
${field('zip', 'ZIP code', 'billing postal-code')}
<button>Continue to the card</button>
</fieldset>
</form>
<div id="card-fields"></div>
<p id="progress" class="message" role="status"></p>
<p id="problem" class="message" role="alert"></p>
</section>
</main>
<script type="module" src="/shop.js"></script>`,
  );
}

const words: Readonly<Record<OrderStatus, readonly [title: string, text: string]>> = {
  open: ['Thank you', 'We are waiting to hear from the payment service. Load this page again in a moment.'],
  paying: ['Thank you', 'Your payment is on its way.'],
  paid: ['Thank you', 'Your order is paid. The tea is on its way.'],
  unclear: [
    'We are looking into it',
    'We do not know yet whether you have paid. Please do not pay again; we will write.',
  ],
  canceled: ['Canceled', 'Your order is canceled, and nothing was charged.'],
};

/** The page with the state of an order. */
export function statusPage(order: Order): string {
  const [title, text] = words[order.status];
  return page(
    title,
    `<main data-status="${order.status}"><h1>${title}</h1><p>${text}</p><p><a href="/">Order again</a></p></main>`,
  );
}
