/** Pays an order on the shop's own page. The card is typed into a frame of the service; this script never sees it. */

import { BrowserError, loadCardFields, loadGateway } from '/payments-client/browser.js';

const main = document.querySelector('main');
const buyer = document.querySelector('#buyer');
const next = buyer.querySelector('button');
const progress = document.querySelector('#progress');
const problem = document.querySelector('#problem');
const { order, amount, baseUrl, apiKey } = main.dataset;

/** The shop did not answer, so it may be paid. The page of a paid order says so. */
const unclear = 'We do not know whether you have paid. Please load the page again to see.';

/** Loads both scripts. A load that failed leaves nothing behind, so the next call tries again. */
function load() {
  return Promise.all([
    loadGateway({ baseUrl, apiKey, environment: 'sandbox' }),
    loadCardFields({ src: `${baseUrl}/js/CollectJS.js` }),
  ]);
}

// Begun early, since it needs a moment. Without it the payment is only scored less well.
const deviceSession = load()
  .then(([gateway]) => gateway.risk.collectDeviceData())
  .catch(() => undefined);

/** Shows either how far the payment is or what went wrong. */
function say(text, failure = '') {
  progress.textContent = text;
  problem.textContent = failure;
  problem.scrollIntoView({ block: 'nearest' });
}

/** The bank is asked who pays, and the shop's server to charge the token. */
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

/** Takes one card after the other until the order is paid. While one is paid with, the fields take no other. */
async function payByCard() {
  const [gateway, cardFields] = await load();
  for (;;) {
    const result = await pay(gateway, await cardFields.collectToken({ target: '#card-fields' }));
    if (result.paid) return location.assign(`/orders/${order}/thanks`);
    say('', result.message);
  }
}

/** The payment under way; undefined before the buyer begins, and after it ended without a result. */
let payment;

buyer.addEventListener('submit', (event) => {
  event.preventDefault();
  // Enter in a field submits again; a second payment beside the first could charge twice.
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
