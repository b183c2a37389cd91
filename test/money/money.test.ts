/** Money is exact: what is written, read, shown or divided is what it was, to the last cent. */

import { code, codes } from 'currency-codes';
import * as fc from 'fast-check';
import {
  allocateAmount,
  formatAmount,
  InvalidRequestError,
  toDecimalAmount,
  toMinorUnits,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';

const amounts = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const currencies = fc.constantFrom(
  ...codes().filter((one) => {
    try {
      return toDecimalAmount(0, one) !== '';
    } catch {
      return false;
    }
  }),
);

describe('toMinorUnits', () => {
  it.each([
    ['12.00', 'USD', 1200],
    ['12', 'usd', 1200],
    ['12.5', 'USD', 1250],
    ['0.01', 'USD', 1],
    ['0', 'USD', 0],
    ['12.3400', 'USD', 1234],
    ['1200', 'JPY', 1200],
    ['1200.00', 'JPY', 1200],
    ['1.200', 'KWD', 1200],
    ['007.50', 'USD', 750],
  ])('reads %s %s as %i', (amount, currency, minorUnits) => {
    expect(toMinorUnits(amount, currency)).toBe(minorUnits);
  });

  it('reads back what toDecimalAmount writes, of every currency', () => {
    const holds = fc.property(amounts, currencies, (amount, currency) => {
      expect(toMinorUnits(toDecimalAmount(amount, currency), currency)).toBe(amount);
    });
    fc.assert(holds);
  });

  it('has the digits of ISO 4217', () => {
    for (const one of ['USD', 'JPY', 'KWD', 'CLF', 'ISK', 'HUF', 'UGX']) {
      expect(toMinorUnits('1', one)).toBe(10 ** (code(one)?.digits ?? Number.NaN));
    }
  });

  const decimal = (digits: number) =>
    `a decimal string with at most ${digits} digits behind the point, such as '12.00'`;
  it.each<[amount: unknown, currency: unknown, said: string]>([
    ['12.345', 'USD', `amount: expected ${decimal(2)}, got a string of 6 characters`],
    ['0.5', 'JPY', `amount: expected ${decimal(0)}, got a string of 3 characters`],
    ['1,200.00', 'USD', `amount: expected ${decimal(2)}, got a string of 8 characters`],
    ['-1', 'USD', `amount: expected ${decimal(2)}, got a string of 2 characters`],
    ['1e3', 'USD', `amount: expected ${decimal(2)}, got a string of 3 characters`],
    [' 1', 'USD', `amount: expected ${decimal(2)}, got a string of 2 characters`],
    ['', 'USD', `amount: expected ${decimal(2)}, got an empty string`],
    ['90071992547409.92', 'USD', `amount: expected ${decimal(2)}, got a string of 17 characters`],
    [12, 'USD', `amount: expected ${decimal(2)}, got the number 12`],
    ['12.00', 'XXX', "currency: expected an ISO 4217 code with a minor unit, such as 'USD', got 'XXX'"],
    ['12.00', undefined, "currency: expected an ISO 4217 code with a minor unit, such as 'USD', got nothing"],
  ])('refuses %j %s', (amount, currency, said) => {
    const message = `toMinorUnits: ${said}. Nothing was sent.`;
    expect(() => toMinorUnits(anything(amount), anything(currency))).toThrow(
      expect.objectContaining({ constructor: InvalidRequestError, message }),
    );
  });
});

describe('formatAmount', () => {
  it.each([
    [1200, 'usd', 'en-US', '$12.00'],
    [1200, 'JPY', 'en-US', '¥1,200'],
    [1200, 'KWD', 'en-US', 'KWD 1.200'],
    [123456, 'EUR', 'de-DE', '1.234,56 €'],
    [100, 'ISK', 'en-US', 'ISK 100'],
    [9007199254740991, 'USD', 'en-US', '$90,071,992,547,409.91'],
    [90071992547409919999n, 'USD', 'en-US', '$900,719,925,474,099,199.99'],
  ])('%s %s in %s is %s', (amount, currency, locale, text) => {
    // Intl takes blanks that do not break.
    expect(formatAmount(amount, currency, locale).replaceAll(/\s/g, ' ')).toBe(text);
  });

  it('speaks the language of the runtime where none is asked for', () => {
    const { locale } = new Intl.NumberFormat().resolvedOptions();
    expect(formatAmount(1200, 'USD')).toBe(formatAmount(1200, 'USD', locale));
  });

  it('refuses what is no amount, no currency, or no language', () => {
    expect(() => formatAmount(0.5, 'XXX')).toThrow(
      "formatAmount: minorUnits: expected an integer from 0, in minor units, got the number 0.5; currency: expected an ISO 4217 code with a minor unit, such as 'USD', got 'XXX'. Nothing was sent.",
    );
    expect(() => formatAmount(1, 'XXX')).toThrow(InvalidRequestError);
    expect(() => formatAmount(-1, 'USD')).toThrow(InvalidRequestError);
    expect(() => formatAmount(1, 'USD', '!')).toThrow(RangeError);
  });
});

describe('allocateAmount', () => {
  it.each([
    [1000, [1, 1, 1], [334, 333, 333]],
    [500, [1200, 300], [400, 100]],
    [100, [2, 3, 3], [25, 38, 37]],
    [1, [1, 1], [1, 0]],
    [5, [0, 1, 0], [0, 5, 0]],
    [0, [1, 2], [0, 0]],
    [100, [1, 2, 3], [17, 33, 50]],
    [Number.MAX_SAFE_INTEGER, [1, 1], [4503599627370496, 4503599627370495]],
  ])('%i by %j is %j', (amount, weights, parts) => {
    expect(allocateAmount(amount, weights)).toEqual(parts);
  });

  it('loses and makes nothing, and no part is a unit away from its share', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 20 });
    const holds = fc.property(fc.integer({ min: 0, max: 1e12 }), weights, (amount, shares) => {
      fc.pre(shares.some((share) => share > 0));
      const parts = allocateAmount(amount, shares);
      const total = shares.reduce((sum, share) => sum + BigInt(share), 0n);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
      for (const [index, part] of parts.entries()) {
        const away = BigInt(part) * total - BigInt(amount) * BigInt(shares[index] ?? 0);
        expect(away < total && away > -total).toBe(true);
      }
    });
    fc.assert(holds);
  });

  it.each<[amount: number, weights: number[], said: string]>([
    [1.5, [1], 'minorUnits: expected an integer from 0, in minor units, got the number 1.5'],
    [1, [1, 0.5], 'weights[1]: expected an integer from 0, got the number 0.5'],
    [1, [-1], 'weights[0]: expected an integer from 0, got the number -1'],
    [1, [0, 0], 'weights: expected at least one that is not 0, got none'],
    [1, [], 'weights: expected at least one that is not 0, got none'],
  ])('refuses %s by %j', (amount, weights, said) => {
    expect(() => allocateAmount(amount, weights)).toThrow(`allocateAmount: ${said}. Nothing was sent.`);
  });
});
