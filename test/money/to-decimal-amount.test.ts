import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import { ConfigurationError, toDecimalAmount } from 'payments-client';
import { describe, expect, it } from 'vitest';

describe('toDecimalAmount', () => {
  /** Codes of the published list for funds, metals and tests, which have no minor unit. */
  const withoutMinorUnit = new Set([
    'XAG',
    'XAU',
    'XBA',
    'XBB',
    'XBC',
    'XBD',
    'XDR',
    'XPD',
    'XPT',
    'XSU',
    'XTS',
    'XUA',
    'XXX',
  ]);

  it('uses the minor digits of the published list for each currency', () => {
    expect(currencyCodes.codes().length).toBeGreaterThan(150);
    for (const code of currencyCodes.codes()) {
      const { digits = 0 } = currencyCodes.code(code) ?? {};
      if (withoutMinorUnit.has(code)) {
        expect(() => toDecimalAmount(1, code)).toThrow(ConfigurationError);
      } else {
        expect(toDecimalAmount(1, code).split('.')[1] ?? '').toHaveLength(digits);
      }
    }
  });

  it.each([
    [0, 'USD', '0.00'],
    [0n, 'USD', '0.00'],
    [5, 'usd', '0.05'],
    [1200, 'USD', '12.00'],
    [1200, 'JPY', '1200'],
    [5, 'KWD', '0.005'],
    [12345, 'CLF', '1.2345'],
    [9_007_199_254_740_991, 'EUR', '90071992547409.91'],
    [123_456_789_012_345_678_901n, 'EUR', '1234567890123456789.01'],
  ])('converts %s %s to exactly %s', (minorUnits, currency, expected) => {
    expect(toDecimalAmount(minorUnits, currency)).toBe(expected);
  });

  it.each([-1, -1n])('refuses %s and repeats it in the message', (minorUnits) => {
    expect(() => toDecimalAmount(minorUnits, 'USD')).toThrow(
      'minorUnits: expected an integer from 0, in minor units, got the number -1',
    );
  });

  it('is exact for every amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.constantFrom('USD', 'JPY', 'KWD', 'UYW'),
        (amount, currency) => {
          expect(BigInt(toDecimalAmount(amount, currency).replace('.', ''))).toBe(amount);
        },
      ),
    );
  });

  it.each([
    ['minorUnits', 12.5, 'USD'],
    ['minorUnits', -1, 'USD'],
    ['minorUnits', Number.NaN, 'USD'],
    ['minorUnits', 2 ** 53, 'USD'],
    ['minorUnits', '1200' as never, 'USD'],
    ['currency', 1200, 'DOLLAR'],
    ['currency', 1200, 'XXX'],
    ['currency', 1200, undefined as never],
  ])('refuses a wrong %s (%s %s)', (path, minorUnits, currency) => {
    expect(() => toDecimalAmount(minorUnits, currency)).toThrow(
      new RegExp(`^toDecimalAmount\\.${path}: expected`),
    );
  });
});
