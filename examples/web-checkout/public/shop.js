/** Takes one card after another, until the order is paid. */

import { BrowserError } from '/payments-client/browser.js';
import { load, pay } from './card.js';

const buyer = document.querySelector('#buyer');
const next = buyer.querySelector('button');
const progress = document.querySelector('#progress');
const problem = document.querySelector('#problem');

/** The shop did not respond, so the order may be paid. The page of a paid order says so. */
const unclear = 'We do not know whether you have paid. Please load the page again to see.';

/** Shows the progress or an error. */
function say(text, failure = '') {
  progress.textContent = text;
  problem.textContent = failure;
  problem.scrollIntoView({ block: 'nearest' });
}

/** Accepts cards until none may be charged any more. During a payment the fields accept no other card. */
async function payByCard() {
  const [gateway, cardFields] = await load();
  for (;;) {
    const token = await cardFields.collectToken({ target: '#card-fields' });
    const { state, message } = await pay(gateway, token, Object.fromEntries(new FormData(buyer)), say);
    if (state !== 'unpaid') return location.reload();
    say('', message);
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
