/** Comfort for the checkout page, which works without it. */

import { helpWithCard } from '../card-form.ts';

const form = document.querySelector('form');
const button = form?.querySelector('button');

if (form && button) {
  const label = button.textContent;
  helpWithCard(form);
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
