/** Pays an order on the shop's own page. The card is typed into a frame of the service; this script never sees it. */

import { BrowserError, loadCardFields, loadGateway } from '/payments-client/browser.js';

const main = document.querySelector('main');
const buyer = document.querySelector('#buyer');
const message = document.querySelector('#message');
const { order, amount, baseUrl, apiKey } = main.dataset;

const loading = Promise.all([
  loadGateway({ baseUrl, apiKey, environment: 'sandbox' }),
  loadCardFields({ src: `${baseUrl}/js/CollectJS.js` }),
]);
// Begun early, since it needs a moment. Without it the payment is only scored less well.
const deviceSession = loading.then(([gateway]) => gateway.risk.collectDeviceData()).catch(() => undefined);

function say(text) {
  message.textContent = text;
}

/** The bank is asked who pays, and the shop's server to charge the token. */
async function pay(gateway, payment_token) {
  const { firstName, lastName, ...details } = Object.fromEntries(new FormData(buyer));
  const { address1, city, state, zip } = details;
  const billingAddress = { firstName, lastName, address1, city, state, zip, country: 'US' };
  say('Asking your bank…');
  gateway.threeDSecure.configure({ amount, currency: 'USD', billingAddress });
  const threeDSecure = await gateway.threeDSecure.authenticate(payment_token);
  say('Paying…');
  const response = await fetch(`/orders/${order}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...details, payment_token, threeDSecure, risk_session_id: await deviceSession }),
  });
  return response.json();
}

async function payByCard() {
  const [gateway, cardFields] = await loading;
  for (;;) {
    const result = await pay(gateway, await cardFields.collectToken());
    if (result.paid) return location.assign(`/orders/${order}/thanks`);
    say(result.message);
  }
}

buyer.addEventListener(
  'submit',
  (event) => {
    event.preventDefault();
    say('Type in your card.');
    payByCard().catch((error) => {
      console.error(error);
      say(
        error instanceof BrowserError
          ? 'The payment could not be begun. Please load the page again.'
          : 'Please try again.',
      );
    });
  },
  { once: true },
);
