import { ConfigurationError, InvalidRequestError, PaymentsClient, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { baseUrl, createClient, securityKey, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const token = { payment_token: 'tok_1' };
const earlier = { transactionid: '7' };

/** Every method that takes an amount. */
const methodsWithAmount: readonly (readonly [
  string,
  (transact: Transact, amount: string) => PromiseLike<unknown>,
])[] = [
  ['sale', (t, amount) => t.sale({ ...token, amount })],
  ['auth', (t, amount) => t.auth({ ...token, amount })],
  ['credit', (t, amount) => t.credit({ ...token, amount })],
  ['capture', (t, amount) => t.capture({ ...earlier, amount })],
  ['refund', (t, amount) => t.refund({ ...earlier, amount })],
  ['submit', (t, amount) => t.submit({ type: 'sale', ...token, amount })],
];

const sentAmount = () => new URLSearchParams(service.arrivals.at(-1)?.body).get('amount');
const decimalText = "a decimal string such as '12.00' (inferred; formAmounts: 'integer' takes minor units)";
const integerText = "whole minor units such as '1200', since formAmounts is 'integer'";

describe.each(methodsWithAmount)('%s', (method, call) => {
  const decimal = new Transact({ baseUrl, securityKey });
  const integer = new Transact({ baseUrl, securityKey, formAmounts: 'integer' });

  it('sends a decimal string by default, and refuses a number', async () => {
    service.answers(text('response=1'));
    await call(decimal, '12.00');
    expect(sentAmount()).toBe('12.00');
    const error = await failureOf(call(decimal, anything(1200)), InvalidRequestError);
    expect(error.issues).toEqual([{ path: 'amount', expected: decimalText, received: 'a number' }]);
    expect(service.arrivals).toHaveLength(1);
  });

  it('sends up to 12 digits and 4 decimals, and refuses any other text', async () => {
    service.answers(text('response=1'));
    await call(decimal, '999999999999.9999');
    expect(sentAmount()).toBe('999999999999.9999');
    for (const amount of ['1000000000000', '1.00001', '1.', '.5', '+1', '-1', '1e3', ' 1', '1,00', '']) {
      const error = await failureOf(call(decimal, amount), InvalidRequestError);
      expect(error.issues[0], amount).toMatchObject({ path: 'amount', expected: decimalText });
    }
    expect(service.arrivals).toHaveLength(1);
  });

  const takesWhole = !['sale', 'auth', 'credit'].includes(method);

  it(`${takesWhole ? 'sends' : 'refuses'} a whole number by default, which may be meant as minor units`, async () => {
    service.answers(text('response=1'));
    const sent = call(decimal, '1200');
    if (takesWhole) await sent;
    else {
      const error = await failureOf(sent, InvalidRequestError);
      expect(error.message).toContain("amount: expected a point, as in '12.00', or a currency beside it");
    }
    expect(service.arrivals).toHaveLength(takesWhole ? 1 : 0);
  });

  it('sends whole minor units with formAmounts integer', async () => {
    service.answers(text('response=1'));
    for (const amount of ['1200', '0001200', String(Number.MAX_SAFE_INTEGER).slice(1)]) {
      await call(integer, amount);
      expect(sentAmount()).toBe(amount);
    }
  });

  it.each(['throw', 'warn', 'off'] as const)(
    'refuses any other amount with formAmounts integer and validation %s',
    async (validation) => {
      const transact = new Transact({ baseUrl, securityKey, formAmounts: 'integer', validation });
      for (const amount of [
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
      ]) {
        const error = await failureOf(call(transact, anything(amount)), InvalidRequestError);
        expect(error.issues, String(amount)).toEqual([
          { path: 'amount', expected: integerText, received: expect.any(String) },
        ]);
      }
      expect(service.arrivals).toEqual([]);
    },
  );

  it.runIf(method !== 'submit')('refuses zero with formAmounts integer', async () => {
    for (const amount of ['0', '000']) {
      const error = await failureOf(call(integer, amount), InvalidRequestError);
      expect(error.issues).toMatchObject([
        { path: 'amount', expected: 'whole minor units of more than zero' },
      ]);
    }
    expect(service.arrivals).toEqual([]);
  });
});

describe('formAmounts', () => {
  it('is an option of PaymentsClient too', async () => {
    service.answers(text('response=1'));
    await createClient({ formAmounts: 'integer' }).transact.sale({ ...token, amount: '1200' });
    expect(sentAmount()).toBe('1200');
    expect(() => new PaymentsClient({ baseUrl, formAmounts: anything('cents') })).toThrow(ConfigurationError);
    expect(() => new Transact({ baseUrl, securityKey, formAmounts: anything('cents') })).toThrow(
      "formAmounts: expected 'decimal' or 'integer', got 'cents'",
    );
  });
});
