/** Progressive enhancement of the checkout page, which works without it. */

import { fillIn, helpWithCard } from '../card-form/card-form.ts';
import { listTestCards, type OfferedCard } from '../card-form/test-card-buttons.ts';
import { requireElement } from '../frames/framed-page.ts';
import { checkAnswers } from './answer-checks.ts';

/** The test cards whose results differ on this page. */
const offered: readonly OfferedCard[] = [
  ['fullMatch', 'Pays'],
  ['frictionless', '3-D Secure: passes without a challenge'],
  ['challengeRequired', '3-D Secure: challenge'],
  ['authenticationFailed', '3-D Secure: failed'],
  ['authenticationUnavailable', '3-D Secure: unavailable, pays'],
  ['doNotHonor', 'Declined: do not honor'],
  ['insufficientFunds', 'Declined: insufficient funds'],
  ['expiredCard', 'Declined: expired'],
  ['stolenCard', 'Declined: stolen card, shown as a generic decline'],
  ['processingError', 'Processing error'],
];

const place = '.test-cards';

function offerTestCards(form: HTMLFormElement): void {
  const list = requireElement(place);
  list.hidden = false;
  const use = (number: string): void => {
    list.removeAttribute('open');
    fillIn(form, { ccnumber: number, ccexp: list.dataset['expiry'] ?? '', cvv: '123' });
    requireElement('form button').focus();
  };
  listTestCards(offered, use, place);
}

/** Folds the order to its total on narrow screens, until the buyer opens it. */
function foldOrder(order: HTMLDetailsElement): void {
  const wide = matchMedia('(min-width: 60rem)');
  const fold = (): void => {
    order.open = wide.matches;
  };
  wide.addEventListener('change', fold);
  fold();
}

function submitOnce(form: HTMLFormElement, isRight: () => boolean): void {
  let pressed: { readonly button: HTMLElement; readonly label: string } | undefined;
  form.addEventListener('submit', (event) => {
    // A second submit while the first is pending would be another attempt.
    if (pressed !== undefined || !isRight()) return event.preventDefault();
    const button = event.submitter;
    if (button === null) return;
    pressed = { button, label: button.textContent };
    button.ariaDisabled = 'true';
    button.textContent = button.dataset['busy'] ?? pressed.label;
  });
  // The browser's back-forward cache may restore the page in its last state.
  addEventListener('pageshow', () => {
    if (pressed === undefined) return;
    pressed.button.ariaDisabled = null;
    pressed.button.textContent = pressed.label;
    pressed = undefined;
  });
}

const form = document.querySelector('form');
const order = document.querySelector<HTMLDetailsElement>('.order');
const time = document.querySelector('time');

if (order) foldOrder(order);
if (time) {
  time.textContent = new Date(time.dateTime).toLocaleString('en', { dateStyle: 'long', timeStyle: 'short' });
}
if (form) {
  const isRight = checkAnswers(form, helpWithCard(form));
  if (document.querySelector(place)) offerTestCards(form);
  submitOnce(form, isRight);
}
