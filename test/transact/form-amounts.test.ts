/** Which amounts are sent, and in which form: a factor of 100 lies between `12.00` and `1200`. */

import { ConfigurationError, InvalidRequestError, PaymentsClient, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { methods, startEndpoint, submit, token } from './endpoint.ts';

const { sale, auth, credit, capture, refund } = methods;
const withAmount = Object.entries({ sale, auth, credit, capture, refund, submit });

/** How each form writes an amount of 12 dollars, 1200 yen or 12 dinars. Any other text is refused. */
const amounts = { whole: '1200', one: '12.0', two: '12.00', three: '12.000', four: '12.0000' };

const forms = [
  ['currency', undefined, 'two'],
  ['currency', 'USD', 'two'],
  ['currency', 'usd', 'two'],
  ['currency', 'JPY', 'whole'],
  ['currency', 'KWD', 'three'],
  ['currency', 'CLF', 'four'],
  // Two decimals are the usual ones, and a hundredfold charge is no reading of them.
  ['currency', 'XXX', 'two'],
  ['currency', '', 'two'],
  ['two-decimals', undefined, 'two'],
  ['two-decimals', 'USD', 'two'],
  ['two-decimals', 'JPY', 'two'],
  ['two-decimals', 'KWD', 'two'],
  ['integer', undefined, 'whole'],
  ['integer', 'USD', 'whole'],
  ['integer', 'JPY', 'whole'],
  ['integer', 'KWD', 'whole'],
] as const;

const never = ['', '1.', '.5', '+1.00', '-1.00', '1e3', ' 1.00', '1,00', '1.000,00', '12.00000', '٣.٠٠'];

it.each([
  [{}, 'with two decimals, or a currency beside it (inferred; see formAmounts)'],
  [{ currency: 'USD' }, 'with the decimals of its currency (inferred; see formAmounts)'],
])('says what an amount beside %j has', async (fields, text) => {
  const { transact } = startEndpoint();
  const error = await failureOf(sale(transact, { amount: '12', ...fields }), InvalidRequestError);
  expect(error.issues).toMatchObject([{ expected: `a decimal string such as '12.00', ${text}` }]);
});

describe.each(withAmount)('%s', (method, call) => {
  it.each(forms)(
    'with formAmounts %s in %s takes %s decimals alone',
    async (formAmounts, currency, taken) => {
      const { transact, sent } = startEndpoint('response=1', { formAmounts });
      const fields = currency === undefined ? {} : { currency };
      await call(transact, { amount: amounts[taken], ...fields });
      expect(sent()).toMatchObject([{ amount: amounts[taken], ...fields }]);
      const others = Object.values(amounts).filter((amount) => amount !== amounts[taken]);
      for (const amount of [...others, ...never, 1200, 12.5, null]) {
        const error = await failureOf(call(transact, { amount, ...fields }), InvalidRequestError);
        expect(error.issues, String(amount)).toMatchObject([
          { path: 'amount', expected: expect.stringContaining(`'${amounts[taken]}'`) },
        ]);
      }
      expect(sent()).toHaveLength(1);
    },
  );

  it.each(['throw', 'warn', 'off'] as const)(
    'refuses another form whatever else is wrong, with validation %s',
    async (validation) => {
      const { transact, bodies } = startEndpoint('response=1', { validation });
      // Another form of card may be the one that the service takes: that is what `off` is for.
      const wrong = { payment_token: undefined, ccnumber: '4111 1111 1111 1111', ccexp: '12/30' };
      const usual = { currency: 'USD', amount: '1200' };
      for (const fields of [usual, { ...usual, ...wrong }, { amount: '1200', ...wrong }]) {
        const error = await failureOf(call(transact, fields), InvalidRequestError);
        expect(error.issues.map(({ path }) => path)).toContain('amount');
      }
      expect(bodies).toEqual([]);
    },
  );

  it.each([
    ['currency', ['0.01', '00012.50', '9999999999999.99'], ['10000000000000.00'], ['0.00']],
    ['integer', ['1', '0001200', '9'.repeat(15)], ['1'.repeat(16)], ['0', '000']],
  ] as const)(
    'sends %s amounts of any size as they are, but not zero',
    async (formAmounts, all, long, zero) => {
      const { transact, sent } = startEndpoint('response=1', { formAmounts });
      for (const amount of all) await call(transact, { amount });
      expect(sent().map((fields) => fields['amount'])).toEqual(all);
      for (const amount of [...long, ...(method === 'submit' ? [] : zero)])
        await failureOf(call(transact, { amount }), InvalidRequestError);
      expect(sent()).toHaveLength(all.length);
    },
  );
});

it.each(['currency', 'two-decimals', 'integer'] as const)(
  'a capture without an amount takes all, with amounts %s',
  async (formAmounts) => {
    const { transact, sent } = startEndpoint('response=1', { formAmounts });
    await capture(transact);
    expect(sent()[0]).not.toHaveProperty('amount');
  },
);

it('formAmounts is an option of PaymentsClient too', async () => {
  const { options, sent } = startEndpoint();
  const keys = { ...options, secretKey: 'sk_v1_test_1' };
  await new PaymentsClient({ ...keys, formAmounts: 'integer' }).transact.sale({ ...token, amount: '1200' });
  expect(sent()).toMatchObject([{ amount: '1200' }]);
  const wrong = { ...keys, formAmounts: anything('cents') };
  expect(() => new PaymentsClient(wrong)).toThrow(ConfigurationError);
  expect(() => new Transact({ ...options, formAmounts: anything('cents') })).toThrow(
    "formAmounts: expected 'currency', 'two-decimals' or 'integer', got 'cents'",
  );
});
