import { type TestCardName, testCards } from '../../transact/test-cards.ts';
import { inside } from '../frames/inside.ts';
import { groupDigits } from './card-form.ts';

/** A test card that is offered, and what it does. */
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
 * Lists them. They are not in the page that the sandbox sends, so that no page of it ever has a number.
 *
 * @param place Selects what they are listed in.
 */
export function listTestCards(
  offered: readonly OfferedCard[],
  use: (number: string) => void,
  place = 'details',
): void {
  inside(`${place} ul`).append(...offered.map(([name, outcome]) => itemOf(name, outcome, use)));
}
