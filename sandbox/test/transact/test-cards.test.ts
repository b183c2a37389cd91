/** Reaches inside: uses the check digit function of the SDK. */

import { readChecks } from 'payments-client/fraud';
import { testCards } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { hasValidCheckDigit } from '../../../src/base/card-number.ts';
import fraud from '../../../test/interface/tables/fraud.json' with { type: 'json' };
import { startForms, typed } from './support.ts';

/** The results with another name in the interface. */
const outcomes: Readonly<Record<string, string>> = {
  'authenticated (full)': 'authenticated',
  'authenticated (frictionless)': 'frictionless',
  'challenge required': 'challenge_required',
};

const cards = Object.entries(testCards);

test('every number is unique, with a valid check digit and a prefix of no issuer', () => {
  const numbers = cards.map(([, { number }]) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  // Numbers that begin with 9 belong to national bodies, and 999 is not a country code.
  expect(numbers.filter((number) => !/^999900\d{10}$/.test(number) || !hasValidCheckDigit(number))).toEqual(
    [],
  );
});

test('there is a card for each code and each result of 3-D Secure', () => {
  expect(new Set(cards.map(([, { avs }]) => avs))).toEqual(new Set(fraud.avs.map(({ code }) => code)));
  expect(new Set(cards.map(([, { threeDSecure }]) => threeDSecure))).toEqual(
    new Set(fraud.threeDSecureOutcomes.map((outcome) => outcomes[outcome] ?? outcome)),
  );
});

const paying = cards.flatMap(([name, card]) => (card.decline === null ? [{ name, ...card }] : []));

test.each(paying)('$name pays, with AVS $avs and CVV $cvv', async ({ number, avs, cvv }) => {
  const { transact } = startForms();
  const result = await transact.sale({ amount: '12.00', ...typed(number) });
  expect(result.approved).toBe(true);
  const expected = readChecks({ avsresponse: avs, cvvresponse: cvv });
  expect([result.avs, result.cvv]).toEqual([expected.avs, expected.cvv]);
});

const refusing = cards.flatMap(([name, { number, decline }]) =>
  decline === null ? [] : [{ name, number, ...decline }],
);

test.each(refusing)('$name is declined with $response: $responsetext', async (card) => {
  const { sandbox, transact } = startForms();
  for (const type of ['sale', 'auth', 'validate'] as const) {
    const amount = type === 'validate' ? {} : { amount: '12.00' };
    const result = await transact.submit({ type, ...amount, ...typed(card.number) });
    expect(result).toMatchObject({
      approved: false,
      response: card.response,
      errored: card.response === '3',
    });
    expect(result.responsetext).toMatch(new RegExp(`^${card.responsetext}( REFID:\\d+)?$`));
    expect(result.responsetext.includes('REFID')).toBe(card.response === '3');
    expect(result.fields['response_code']).toBe(card.code);
    expect(result.fields['authcode']).toBe('');
  }
  expect(sandbox.transactions.map(({ captured }) => captured)).toEqual(['0.00', '0.00', '0.00']);
});

/** Numbers that other services decline or block, with the card that declines here. */
const declinedElsewhere = [
  ['4000000000000002', 'doNotHonor'],
  ['4000000000009995', 'insufficientFunds'],
  ['4000000000000069', 'expiredCard'],
  ['4000000000009979', 'stolenCard'],
  ['4000000000000119', 'processingError'],
  ['4100000000000019', 'doNotHonor'],
  ['4000111111111115', 'doNotHonor'],
] as const;

describe.each(declinedElsewhere)('%s, which another service declines, is refused with %s', (number, name) => {
  const instead = `testCards.${name} (${testCards[name].number})`;

  test('in a form', async () => {
    const { sandbox, submit } = startForms();
    for (const type of ['sale', 'auth', 'credit', 'validate']) {
      const amount = type === 'validate' ? {} : { amount: '12.00' };
      const response = await submit({ type, ...amount, ...typed(number) });
      expect(response.get('response')).toBe('3');
      expect(response.get('responsetext')).toContain(`another service declines. Use ${instead}`);
      expect(response.toString()).not.toContain(number);
    }
    expect(sandbox.transactions).toEqual([]);
  });

  test('in a form, with gaps', async () => {
    const { submit } = startForms();
    const gaps = number.replaceAll(/(?<=^(?:.{4})+)(?=.)/g, ' ');
    const response = await submit({ type: 'sale', amount: '12.00', ...typed(gaps) });
    expect(response.get('responsetext')).toContain(instead);
    expect(response.toString()).not.toContain(gaps);
  });

  test('by tokenize', async () => {
    const { sandbox } = startForms();
    const error = await sandbox.tokenize(typed(number)).catch(String);
    expect(error).toMatch(/ConfigurationError: sandbox.tokenize.ccnumber: expected a number that no other/);
    expect(error).not.toContain(number);
  });
});

test.each([
  '4242424242424242',
  '5555555555554444',
  '378282246310005',
  '4166676667666746',
  '5105105105105100',
])('%s, which pays at other services, pays', async (number) => {
  const { transact } = startForms();
  expect((await transact.sale({ amount: '12.00', ...typed(number) })).approved).toBe(true);
});

test("a card is declined from the month after its expiry, by the sandbox's clock", async () => {
  const { sandbox, transact } = startForms({ startsAt: Date.UTC(2026, 0, 31, 23, 59) });
  const sale = { amount: '12.00', ...typed('4111111111111111'), ccexp: '0126' };
  expect((await transact.sale(sale)).approved).toBe(true);
  await sandbox.clock.advance('1 min');
  expect(await transact.sale(sale)).toMatchObject({ response: '2', responsetext: 'Expired card' });
});

test('without a security code there is no security-code check', async () => {
  const { transact } = startForms();
  const { cvv: _, ...card } = typed(testCards.cvvMismatch.number);
  const result = await transact.sale({ amount: '12.00', ...card });
  expect([result.cvv, result.avs?.code]).toEqual([undefined, 'Y']);
});
