/** Progressive enhancement of the checkout page, which works without it. */

import { isEmail, isPhone, mayBeLeftOut } from '../pages/checkout/answer-rules.ts';
import {
  type Control,
  checkField,
  type Flaw,
  fillIn,
  helpWithCard,
  listTestCards,
  type OfferedCard,
} from './card-form.ts';
import { requireElement } from './frames/framed-page.ts';

function isControl(element: Element): element is Control {
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
}

function flawOf({ type, required }: Control, text: string): Flaw | undefined {
  if (text === '') return required ? 'missing' : undefined;
  const isWrong = (type === 'email' && !isEmail(text)) || (type === 'tel' && !isPhone(text));
  return isWrong ? 'wrong' : undefined;
}

/** Updates which address fields are required when the country changes. */
function followCountry(country: HTMLSelectElement, parts: readonly Control[]): void {
  const follow = (): void => {
    for (const part of parts) {
      part.required = !mayBeLeftOut(part.name, country.value);
      const mark = document.querySelector<HTMLElement>(`label[for="${part.name}"] .optional`);
      if (mark) mark.hidden = part.required;
    }
  };
  country.addEventListener('input', follow);
  follow();
}

/**
 * Checks the fields of a form on blur.
 *
 * @param cardChecks The checks of the card's fields, by name.
 * @returns Checks all fields now, and focuses the first invalid one.
 */
function checkAnswers(form: HTMLFormElement, cardChecks: ReadonlyMap<string, () => boolean>): () => boolean {
  const controls = [...form.elements].filter(isControl).filter(({ type }) => type !== 'hidden');
  for (const country of controls) {
    if (!(country instanceof HTMLSelectElement) || !country.required) continue;
    const group = country.name.replace('country', '');
    followCountry(
      country,
      controls.filter(({ name }) => [`${group}state`, `${group}postal_code`].includes(name)),
    );
  }
  const checks = controls.map((control) => ({
    control,
    check: cardChecks.get(control.name) ?? checkField(control, (text) => flawOf(control, text)),
  }));
  return () => {
    // An address that is the same as another is hidden.
    const [first] = checks.filter(({ control, check }) => control.checkVisibility() && !check());
    first?.control.focus();
    return first === undefined;
  };
}

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
