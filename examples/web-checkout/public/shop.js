/** Pays an order on the shop's own page. The buyer types the card into a frame of the service, which this script cannot read. */

import { BrowserError, loadCardFields, loadGateway } from '/payments-client/browser.js';

const main = document.querySelector('main');
const buyer = document.querySelector('#buyer');
const next = buyer.querySelector('button');
const progress = document.querySelector('#progress');
const problem = document.querySelector('#problem');
const { order, amount, baseUrl, apiKey } = main.dataset;

/** The shop did not respond, so the order may be paid. The page of a paid order says so. */
const unclear = 'We do not know whether you have paid. Please load the page again to see.';

/** Loads both scripts. After a failed load the next call tries again. */
function load() {
  return Promise.all([
    loadGateway({ baseUrl, apiKey, environment: 'sandbox' }),
    loadCardFields({ src: `${baseUrl}/js/CollectJS.js` }),
  ]);
}

// Starts early, because it takes a moment. Without it only the risk score suffers.
const deviceSession = load()
  .then(([gateway]) => gateway.risk.collectDeviceData())
  .catch(() => undefined);

/** Shows the progress or an error. */
function say(text, failure = '') {
  progress.textContent = text;
  problem.textContent = failure;
  problem.scrollIntoView({ block: 'nearest' });
}

/** Authenticates the buyer with the bank, then asks the shop's server to charge the token. */
async function pay(gateway, payment_token) {
  const { firstName, lastName, ...contact } = Object.fromEntries(new FormData(buyer));
  const { address1, city, state, zip } = contact;
  const billingAddress = { firstName, lastName, address1, city, state, zip, country: 'US' };
  say('Asking your bank…');
  gateway.threeDSecure.configure({ amount, currency: 'USD', billingAddress });
  const threeDSecure = await gateway.threeDSecure.authenticate(payment_token);
  say('Paying…');
  const response = await fetch(`/orders/${order}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...contact, payment_token, threeDSecure, risk_session_id: await deviceSession }),
  });
  return response.json();
}

/** Accepts one card after another until the order is paid. During a payment the fields accept no other card. */
async function payByCard() {
  const [gateway, cardFields] = await load();
  for (;;) {
    const result = await pay(gateway, await cardFields.collectToken({ target: '#card-fields' }));
    if (result.paid) return location.assign(`/orders/${order}/thanks`);
    say('', result.message);
  }
}

/** The current payment; undefined before the first one, and after one without a result. */
let payment;

buyer.addEventListener('submit', (event) => {
  event.preventDefault();
  // Enter in a field submits again. A second concurrent payment could charge twice.
  if (payment !== undefined) return document.querySelector('#card-fields iframe')?.focus();
  next.hidden = true;
  say('Type in your card.');
  payment = payByCard().catch((error) => {
    console.error(error);
    const canTryAgain = error instanceof BrowserError;
    say('', canTryAgain ? 'The payment could not be begun. Please try again.' : unclear);
    if (!canTryAgain) return;
    next.hidden = false;
    payment = undefined;
  });
});
