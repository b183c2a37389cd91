/** Comfort for the checkout page, which works without it. */

import { fillIn, helpWithCard } from '../card-form/card-form.ts';
import { listTestCards, type OfferedCard } from '../card-form/test-card-buttons.ts';
import { inside } from '../frames/inside.ts';

/** The test cards that make a difference here: the service runs no 3-D Secure on this page. */
const offered: readonly OfferedCard[] = [
  ['fullMatch', 'Pays'],
  ['doNotHonor', 'Declined: do not honor'],
  ['insufficientFunds', 'Declined: insufficient funds'],
  ['expiredCard', 'Declined: expired'],
  ['stolenCard', 'Declined: stolen, which the buyer is not told'],
  ['processingError', 'Error while it is processed'],
];

function offerTestCards(form: HTMLFormElement): void {
  const list = inside('details');
  list.hidden = false;
  listTestCards(offered, (number) => {
    list.removeAttribute('open');
    fillIn(form, { ccnumber: number, ccexp: list.dataset['expiry'] ?? '', cvv: '123' });
    inside('form button').focus();
  });
}

const form = document.querySelector('form');
const button = form?.querySelector('button');

if (form && button) {
  const label = button.textContent;
  helpWithCard(form);
  offerTestCards(form);
  form.addEventListener('submit', (event) => {
    // A second press while the first is on its way would be another attempt.
    if (button.ariaDisabled === 'true') return event.preventDefault();
    button.ariaDisabled = 'true';
    button.textContent = 'Paying…';
  });
  // The page may come back from the browser's memory as it was left.
  addEventListener('pageshow', () => {
    button.ariaDisabled = null;
    button.textContent = label;
  });
}
