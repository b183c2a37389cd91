/** Minor units as a decimal string and back: each amount of each currency exactly, and none that is finer than its smallest unit. */

import { code, codes } from 'currency-codes';
import fc from 'fast-check';
import { ConfigurationError, toDecimalAmount, toMinorUnits } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';

/** Codes of the published list for funds, metals and tests, which have no minor unit. */
const without = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ');
const currencies = codes().filter((currency) => !without.includes(currency));
const digitsOf = (currency: string) => code(currency)?.digits ?? Number.NaN;

describe('a currency', () => {
  it('has the minor digits of the published list', () => {
    expect(currencies.length).toBeGreaterThan(150);
    for (const currency of currencies) {
      const digits = digitsOf(currency);
      expect(toMinorUnits('1', currency), currency).toBe(10 ** digits);
      expect(toDecimalAmount(1, currency).split('.')[1] ?? '', currency).toHaveLength(digits);
      expect(toDecimalAmount(1, currency.toLowerCase())).toBe(toDecimalAmount(1, currency));
    }
  });

  it.each([...without, 'DOLLAR', '', undefined, 840])(
    '%s has no minor unit, so both refuse it',
    (currency) => {
      const read = () => toMinorUnits('1.00', anything(currency));
      expect(read).toThrow(ConfigurationError);
      expect(read).toThrow(/^toMinorUnits\.currency: expected an ISO 4217 code/);
      expect(() => toDecimalAmount(1, anything(currency))).toThrow(
        /^toDecimalAmount\.currency: expected an ISO 4217 code/,
      );
    },
  );
});

describe('any amount', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 18n });

  it('is exact in both directions, in every currency', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(...currencies), (amount, currency) => {
        const decimal = toDecimalAmount(amount, currency);
        expect(BigInt(decimal.replace('.', ''))).toBe(amount);
        if (amount <= Number.MAX_SAFE_INTEGER) expect(toMinorUnits(decimal, currency)).toBe(Number(amount));
        else
          expect(() => toMinorUnits(decimal, currency)).toThrow(
            `at most ${Number.MAX_SAFE_INTEGER} minor units`,
          );
      }),
    );
  });

  it('that is finer than the smallest unit of its currency is refused, and zeros behind it are none', () => {
    const zeros = fc.integer({ min: 0, max: 4 });
    const whole = fc.integer({ min: 0, max: 10 ** 9 });
    fc.assert(
      fc.property(whole, zeros, fc.constantFrom(...currencies), (amount, count, currency) => {
        const point = digitsOf(currency) === 0 ? '.' : '';
        const exact = toDecimalAmount(amount, currency) + (count === 0 ? '' : point + '0'.repeat(count));
        expect(toMinorUnits(exact, currency)).toBe(amount);
        for (const digit of '159') {
          const finer = `${exact}${count === 0 ? point : ''}${digit}`;
          expect(() => toMinorUnits(finer, currency)).toThrow(
            /^toMinorUnits\.amount: expected a decimal string/,
          );
        }
      }),
    );
  });
});

it.each([
  [0, 'USD', '0.00'],
  [0n, 'USD', '0.00'],
  [0, 'JPY', '0'],
  [5, 'usd', '0.05'],
  [1200, 'USD', '12.00'],
  [1200, 'JPY', '1200'],
  [5, 'KWD', '0.005'],
  [1200, 'KWD', '1.200'],
  [12345, 'CLF', '1.2345'],
  [9_007_199_254_740_991, 'EUR', '90071992547409.91'],
  [123_456_789_012_345_678_901n, 'EUR', '1234567890123456789.01'],
])('toDecimalAmount writes %s %s as %s', (minorUnits, currency, expected) => {
  expect(toDecimalAmount(minorUnits, currency)).toBe(expected);
});

it.each([
  ['12', 'usd', 1200],
  ['12.5', 'USD', 1250],
  ['12.3400', 'USD', 1234],
  ['1200.00', 'JPY', 1200],
  ['007.50', 'USD', 750],
  ['90071992547409.91', 'USD', Number.MAX_SAFE_INTEGER],
])('toMinorUnits reads %s %s as %i', (amount, currency, minorUnits) => {
  expect(toMinorUnits(amount, currency)).toBe(minorUnits);
});

it.each([
  [-1, 'the number -1'],
  [-1n, 'the number -1'],
  [12.5, 'the number 12.5'],
  [Number.NaN, 'the number NaN'],
  [2 ** 53, 'a number'],
  ['1200', 'a string of 4 characters'],
])('toDecimalAmount refuses %s', (minorUnits, received) => {
  const message = `toDecimalAmount.minorUnits: expected an integer from 0, in minor units, got ${received}`;
  expect(() => toDecimalAmount(anything(minorUnits), 'USD')).toThrow(message);
});

it.each<[amount: unknown, currency: string, expected: string]>([
  ['12.345', 'USD', 'at most 2 digits behind the point'],
  ['12.001', 'USD', 'at most 2 digits behind the point'],
  ['1.2345', 'KWD', 'at most 3 digits behind the point'],
  ['0.5', 'JPY', 'without digits behind the point'],
  ['1,200.00', 'USD', 'a decimal string'],
  ['1.200,00', 'USD', 'a decimal string'],
  ['-1', 'USD', 'a decimal string'],
  ['1e3', 'USD', 'a decimal string'],
  [' 1', 'USD', 'a decimal string'],
  ['1.', 'USD', 'a decimal string'],
  ['.5', 'USD', 'a decimal string'],
  ['', 'USD', 'a decimal string'],
  [12, 'USD', 'a decimal string'],
  ['90071992547409.92', 'USD', 'at most 9007199254740991 minor units'],
  ['9007199254740992', 'JPY', 'at most 9007199254740991 minor units'],
])('toMinorUnits refuses %j %s', (amount, currency, expected) => {
  const read = () => toMinorUnits(anything(amount), currency);
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(
    /^toMinorUnits\.amount: expected .+, got .+\. Correct the arguments of toMinorUnits\.$/,
  );
  expect(read).toThrow(expected);
});
