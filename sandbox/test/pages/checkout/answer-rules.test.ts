/** Reaches inside: the page and its script check answers by the same rules, here without either. */

import { expect, it } from 'vitest';
import { isEmail, isPhone, mayBeLeftOut } from '../../../src/pages/checkout/answer-rules.ts';

it.each([
  ['US', false, false],
  ['DE', false, true],
  ['HK', true, true],
  ['AU', false, false],
  ['', false, false],
])(
  'in the country "%s", the postal code may be left out: %s, and the state: %s',
  (country, postalCode, state) => {
    for (const group of ['billing', 'shipping']) {
      expect(mayBeLeftOut(`${group}_postal_code`, country)).toBe(postalCode);
      expect(mayBeLeftOut(`${group}_state`, country)).toBe(state);
      expect(mayBeLeftOut(`${group}_city`, country)).toBe(false);
    }
  },
);

it.each([
  ['ada@example.com', true],
  ['ada@exämple', true],
  ['ada', false],
  ['@example.com', false],
  ['ada@', false],
  ['ada lovelace@example.com', false],
  ['a@b@c', false],
])('%j is an e-mail address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});

it.each([
  ['+1 202 555 0100', true],
  ['٠٣١', true],
  ['none', false],
])('%j is a phone number: %s', (text, expected) => {
  expect(isPhone(text)).toBe(expected);
});
