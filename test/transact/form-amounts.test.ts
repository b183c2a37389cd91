/** Which amounts are sent, and in which unit: a factor of 100 lies between `12.00` and `1200`. */

import { ConfigurationError, InvalidRequestError, PaymentsClient, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { methods, startEndpoint, submit, token } from './endpoint.ts';

const { sale, auth, credit, capture, refund } = methods;
const withAmount = Object.entries({ sale, auth, credit, capture, refund, submit });

describe.each(withAmount)('%s', (method, call) => {
  const isNew = ['sale', 'auth', 'credit'].includes(method);

  it.each(['12.00', '0.0001', '12.345', '999999999999.9999', '00012.50'])(
    'sends the decimal %s as it is, never rounded to the smallest unit of a currency',
    async (amount) => {
      const { transact, sent } = startEndpoint();
      await call(transact, { amount, currency: 'USD' });
      await call(transact, { amount, currency: 'KWD' });
      await call(transact, { amount });
      expect(sent().map((fields) => fields['amount'])).toEqual([amount, amount, amount]);
    },
  );

  it.each(['throw', 'warn', 'off'] as const)(
    'refuses any other text, with validation %s',
    async (validation) => {
      const { transact, bodies } = startEndpoint('response=1', { validation });
      for (const amount of [
        '1000000000000',
        '1000000000000.00',
        '1.00001',
        '1.',
        '.5',
        '+1.00',
        '-1.00',
        '1e3',
        ' 1.00',
        '1,00',
        '1.000,00',
        '',
        1200,
        12.5,
        null,
      ]) {
        const error = await failureOf(call(transact, { amount }), InvalidRequestError);
        expect(error.issues[0], String(amount)).toMatchObject({
          path: 'amount',
          expected: expect.stringContaining("formAmounts: 'integer' takes minor units"),
        });
      }
      expect(bodies).toEqual([]);
    },
  );

  it(`${isNew ? 'refuses' : 'sends'} a whole number that may be meant as minor units`, async () => {
    const { transact, bodies } = startEndpoint('response=1', { validation: 'off' });
    const whole = call(transact, { amount: '1200' });
    if (isNew) {
      const error = await failureOf(whole, InvalidRequestError);
      expect(error.issues).toMatchObject([
        { path: 'amount', expected: expect.stringContaining('a currency') },
      ]);
    } else await whole;
    expect(bodies).toHaveLength(isNew ? 0 : 1);
  });

  it.each(['JPY', 'USD'])('sends a whole number beside the currency %s', async (currency) => {
    const { transact, sent } = startEndpoint();
    await call(transact, { amount: '1200', currency });
    expect(sent()).toMatchObject([{ amount: '1200', currency }]);
  });

  describe('with formAmounts integer', () => {
    it('sends whole minor units', async () => {
      const { transact, sent } = startEndpoint('response=1', { formAmounts: 'integer' });
      const amounts = ['1', '1200', '0001200', '9'.repeat(15)];
      for (const amount of amounts) await call(transact, { amount });
      expect(sent().map((fields) => fields['amount'])).toEqual(amounts);
    });

    it.each(['throw', 'warn', 'off'] as const)(
      'refuses any other, with validation %s',
      async (validation) => {
        const { transact, bodies } = startEndpoint('response=1', { formAmounts: 'integer', validation });
        const others = [
          '12.00',
          '1200.',
          '12,00',
          '-1',
          '1e3',
          ' 1200',
          '',
          '1'.repeat(16),
          1200,
          12.5,
          null,
        ];
        for (const amount of others) {
          const error = await failureOf(call(transact, { amount }), InvalidRequestError);
          expect(error.issues, String(amount)).toMatchObject([
            { path: 'amount', expected: expect.stringContaining("formAmounts is 'integer'") },
          ]);
        }
        for (const amount of method === 'submit' ? [] : ['0', '000']) {
          const error = await failureOf(call(transact, { amount }), InvalidRequestError);
          expect(error.issues).toMatchObject([
            { path: 'amount', expected: expect.stringContaining('more than zero') },
          ]);
        }
        expect(bodies).toEqual([]);
      },
    );
  });
});

it.each(['decimal', 'integer'] as const)(
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
    "formAmounts: expected 'decimal' or 'integer', got 'cents'",
  );
});
