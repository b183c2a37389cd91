/** Charges a card on the shop's own page. The buyer types it into a frame of the service, which this script cannot read. */

import { loadCardFields, loadGateway } from '/payments-client/browser.js';

const { order, amount, baseUrl, apiKey } = document.querySelector('main').dataset;

/** Loads both scripts. After a failed load the next call tries again. */
export function load() {
  return Promise.all([
    loadGateway({ baseUrl, apiKey, environment: 'sandbox' }),
    loadCardFields({ src: `${baseUrl}/js/CollectJS.js` }),
  ]);
}

// Starts early, because it takes a moment. Without it only the risk score suffers.
const deviceSession = load()
  .then(([gateway]) => gateway.risk.collectDeviceData())
  .catch(() => undefined);

/** Authenticates the buyer with the bank, then asks the shop's server to charge the token. Returns its answer. */
export async function pay(gateway, payment_token, { firstName, lastName, ...contact }, say) {
  const { address1, city, state, zip } = contact;
  const billingAddress = { firstName, lastName, address1, city, state, zip, country: 'US' };
  say('Asking your bank…');
  gateway.threeDSecure.configure({ amount, currency: 'USD', billingAddress });
  const threeDSecure = await gateway.threeDSecure.authenticate(payment_token);
  say('Paying…');
  const payment = { ...contact, amount, payment_token, threeDSecure, risk_session_id: await deviceSession };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(payment);
  const response = await fetch(`/orders/${order}/pay`, { method: 'POST', headers, body });
  return response.json();
}
