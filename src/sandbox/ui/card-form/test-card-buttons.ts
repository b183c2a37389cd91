import { type TestCardName, testCards } from '../../transact/test-cards.ts';
import { requireElement } from '../frames/framed-page.ts';
import { groupDigits } from './card-form.ts';

/** A test card to offer, and its effect. */
export type OfferedCard = readonly [name: TestCardName, outcome: string];

function itemOf(name: TestCardName, outcome: string, use: (number: string) => void): HTMLElement {
  const { number } = testCards[name];
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = groupDigits(number);
  button.addEventListener('click', () => use(number));
  const words = document.createElement('span');
  words.id = `outcome-${name}`;
  words.textContent = outcome;
  button.setAttribute('aria-describedby', words.id);
  const item = document.createElement('li');
  item.append(button, words);
  return item;
}

/**
 * Lists the test cards. The script adds them, so that no page that the sandbox sends contains a card number.
 *
 * @param place The selector of the list.
 */
export function listTestCards(
  offered: readonly OfferedCard[],
  use: (number: string) => void,
  place = 'details',
): void {
  requireElement(`${place} ul`).append(...offered.map(([name, outcome]) => itemOf(name, outcome, use)));
}
