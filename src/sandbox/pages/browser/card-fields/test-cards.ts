import { type TestCardName, testCards } from '../../../form/test-cards.ts';
import { inside } from '../frames/inside.ts';

/** The test cards that a shop is tried out with, and what each does. */
const offered: readonly (readonly [TestCardName, string])[] = [
  ['fullMatch', 'Pays'],
  ['frictionless', '3-D Secure: confirmed without a question'],
  ['challengeRequired', '3-D Secure: the bank asks the buyer'],
  ['authenticationFailed', '3-D Secure: failed'],
  ['authenticationUnavailable', '3-D Secure: unavailable'],
  ['noMatch', 'Pays: address and security code do not match'],
  ['cvvMismatch', 'Pays: the security code does not match'],
  ['doNotHonor', 'Declined: do not honor'],
  ['insufficientFunds', 'Declined: insufficient funds'],
  ['processingError', 'Error while it is processed'],
];

function itemOf(name: TestCardName, outcome: string, use: (number: string) => void): HTMLElement {
  const { number } = testCards[name];
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
  button.addEventListener('click', () => use(number));
  const words = document.createElement('span');
  words.id = `outcome-${name}`;
  words.textContent = outcome;
  button.setAttribute('aria-describedby', words.id);
  const item = document.createElement('li');
  item.append(button, words);
  return item;
}

/** Lists them. They are not in the page that the sandbox sends, so that no page of it ever has a number. */
export function listTestCards(use: (number: string) => void): void {
  inside('details ul').append(...offered.map(([name, outcome]) => itemOf(name, outcome, use)));
}
