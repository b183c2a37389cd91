/** A program that writes amounts in one form, and a file of another form: an amount is refused, or means the same under both. */

import { InvalidRequestError, PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';

const forms = ['currency', 'two-decimals', 'integer'] as const;
type Form = (typeof forms)[number];

const digits = { none: 2, USD: 2, JPY: 0, KWD: 3, CLF: 4 } as const;
type Currency = keyof typeof digits;

/** How a program writes 1200 minor units. One without a currency has an account in dollars. */
const written: Readonly<Record<Form, Readonly<Record<Currency, string>>>> = {
  currency: { none: '12.00', USD: '12.00', JPY: '1200', KWD: '1.200', CLF: '0.1200' },
  'two-decimals': { none: '12.00', USD: '12.00', JPY: '1200.00', KWD: '1.20', CLF: '0.12' },
  integer: { none: '1200', USD: '1200', JPY: '1200', KWD: '1200', CLF: '1200' },
};

/** The currencies whose amounts pass, by the form of the program and that of the file. Any other amount is refused. */
const passing: Readonly<Record<Form, Readonly<Record<Form, readonly Currency[]>>>> = {
  currency: {
    currency: ['none', 'USD', 'JPY', 'KWD', 'CLF'],
    'two-decimals': ['none', 'USD'],
    integer: ['JPY'],
  },
  'two-decimals': {
    currency: ['none', 'USD'],
    'two-decimals': ['none', 'USD', 'JPY', 'KWD', 'CLF'],
    integer: [],
  },
  integer: {
    currency: ['JPY'],
    'two-decimals': [],
    integer: ['none', 'USD', 'JPY', 'KWD', 'CLF'],
  },
};

/** Returns what a service of a form takes an amount for, in minor units. */
function unitsOf(text: string, form: Form, currency: Currency): number {
  const units = Number(text.replace('.', ''));
  return form === 'two-decimals' ? units * 10 ** (digits[currency] - 2) : units;
}

function start(file: Form, option?: Form) {
  const sent: string[] = [];
  const { transact } = new PaymentsClient({
    baseUrl: 'https://payments.test',
    secretKey: 'sk_v1_test_1',
    securityKey: 'k4n4ry-of-the-form',
    interface: { formAmounts: file },
    formAmounts: option,
    fetch: async (request) => {
      sent.push(new URLSearchParams(await request.text()).get('amount') ?? '');
      return new Response('response=1');
    },
  });
  const sell = (amount: string, currency: Currency) =>
    transact.sale({
      amount,
      payment_token: 'tok_1',
      ...(currency !== 'none' && { currency }),
    });
  return { sell, sent };
}

const currencies = ['none', 'USD', 'JPY', 'KWD', 'CLF'] as const;

describe.each(forms)('a program with %s amounts', (program) => {
  it.each(forms)('and a file with %s', async (file) => {
    const { sell, sent } = start(file);
    for (const currency of currencies) {
      const amount = written[program][currency];
      if (!passing[program][file].includes(currency)) {
        const error = await failureOf(sell(amount, currency), InvalidRequestError);
        expect(error.issues).toMatchObject([{ path: 'amount' }]);
        continue;
      }
      await sell(amount, currency);
      expect(sent.at(-1)).toBe(amount);
      expect([program, file].map((form) => unitsOf(amount, form, currency))).toEqual([1200, 1200]);
    }
    expect(sent).toHaveLength(passing[program][file].length);
  });

  it('outranks a file by its option', async () => {
    for (const file of forms) {
      const { sell, sent } = start(file, program);
      for (const currency of currencies) await sell(written[program][currency], currency);
      expect(sent).toEqual(Object.values(written[program]));
    }
  });
});
