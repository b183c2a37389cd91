/** Reaches inside: uses the check digit function of the SDK. */

import { readChecks } from 'payments-client/fraud';
import { testCards } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { hasValidCheckDigit } from '../../../src/base/redact.ts';
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
  const wrong = numbers.filter((number) => !/^999900\d{10}$/.test(number) || !hasValidCheckDigit(number));
  expect(wrong).toEqual([]);
});

test('there is a card for each code and each result of 3-D Secure', () => {
  expect(new Set(cards.map(([, { avs }]) => avs))).toEqual(new Set(fraud.avs.map(({ code }) => code)));
  expect(new Set(cards.map(([, { threeDSecure }]) => threeDSecure))).toEqual(
    new Set(fraud.threeDSecureOutcomes.map((outcome) => outcomes[outcome] ?? outcome)),
  );
});

test.each(cards)('%s pays or declines, by a sale, an authorization and a check', async (_, card) => {
  const { number, avs, cvv, decline } = card;
  const { sandbox, transact } = startForms();
  for (const type of ['sale', 'auth', 'validate'] as const) {
    const amount = type === 'validate' ? {} : { amount: '12.00' };
    const result = await transact.submit({ type, ...amount, ...typed(number) });
    const expected = readChecks({ avsresponse: avs, cvvresponse: cvv });
    expect([result.avs, result.cvv]).toEqual([expected.avs, expected.cvv]);
    const { response, responsetext, code } = decline ?? {
      response: '1',
      responsetext: 'SUCCESS',
      code: '100',
    };
    expect(result).toMatchObject({ approved: decline === null, response, errored: response === '3' });
    // An error has a reference, and only an approval a code of the issuer.
    expect(result.responsetext.replace(/ REFID:\d+$/, response === '3' ? '' : '!')).toBe(responsetext);
    expect(result.fields).toMatchObject({ response_code: code });
    expect(result.fields['authcode'] === '').toBe(decline !== null);
  }
  const captured = sandbox.transactions.map((one) => one.captured);
  expect(captured).toEqual([decline === null ? '12.00' : '0.00', '0.00', '0.00']);
});

/** Numbers that other services decline or block, with the card that declines here. */
const declinedElsewhere = {
  doNotHonor: [
    '4000000000000002',
    '4000000000000127',
    '4000000000000341',
    '4000000000004954',
    '4000000000006975',
    '4000008400001280',
    '4000008400001629',
    '4100000000000019',
    '4000111111111115',
  ],
  insufficientFunds: ['4000000000009995', '4000008260003178'],
  expiredCard: ['4000000000000069'],
  stolenCard: ['4000000000009979', '4000000000009987'],
  processingError: ['4000000000000119'],
} as const;
const numbers = (Object.keys(declinedElsewhere) as (keyof typeof declinedElsewhere)[]).flatMap((name) =>
  declinedElsewhere[name].map((number) => [number, name] as const),
);

test.each(numbers)(
  '%s, which another service declines, is refused with %s, and not repeated',
  async (number, name) => {
    const instead = `testCards.${name} (${testCards[name].number})`;
    const { sandbox, submit } = startForms();
    const gaps = number.replaceAll(/(?<=^(?:.{4})+)(?=.)/g, ' ');
    for (const [type, written] of [
      ['sale', number],
      ['sale', gaps],
      ['auth', number],
      ['credit', number],
      ['validate', number],
    ] as const) {
      const amount = type === 'validate' ? {} : { amount: '12.00' };
      const response = await submit({ type, ...amount, ...typed(written) });
      expect(response.get('response')).toBe('3');
      expect(response.get('responsetext')).toContain(instead);
      expect(response.toString()).not.toContain(written);
    }
    const error = await sandbox.tokenize(typed(number)).catch(String);
    expect(error).toMatch(/ConfigurationError: sandbox.tokenize.ccnumber: expected a number that no other/);
    expect(error).not.toContain(number);
    expect(sandbox.transactions).toEqual([]);
  },
);

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
  const { sandbox, transact } = startForms({ startsAt: Date.UTC(2026, 0, 31, 23, 59, 59, 999) });
  const sale = { amount: '12.00', ...typed('4111111111111111'), ccexp: '0126' };
  expect((await transact.sale(sale)).approved).toBe(true);
  await sandbox.clock.advance(1);
  expect(await transact.sale(sale)).toMatchObject({ response: '2', responsetext: 'Expired card' });
});

test('without a security code there is no security-code check', async () => {
  const { transact } = startForms();
  const { cvv: _, ...card } = typed(testCards.cvvMismatch.number);
  const result = await transact.sale({ amount: '12.00', ...card });
  expect([result.cvv, result.avs?.code]).toEqual([undefined, 'Y']);
});
