import { code, codes } from 'currency-codes';
import * as fc from 'fast-check';
import { ConfigurationError, toDecimalAmount, toMinorUnits } from 'payments-client';
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

  it('reads back the output of toDecimalAmount for every currency', () => {
    const holds = fc.property(amounts, currencies, (amount, currency) => {
      expect(toMinorUnits(toDecimalAmount(amount, currency), currency)).toBe(amount);
    });
    fc.assert(holds);
  });

  it('uses the minor digits of ISO 4217', () => {
    for (const one of ['USD', 'JPY', 'KWD', 'CLF', 'ISK', 'HUF', 'UGX']) {
      expect(toMinorUnits('1', one)).toBe(10 ** (code(one)?.digits ?? Number.NaN));
    }
  });

  const decimal = (digits: number) =>
    `a decimal string with at most ${digits} digits behind the point, such as '12.00'`;
  it.each<[amount: unknown, currency: unknown, issue: string]>([
    ['12.345', 'USD', `amount: expected ${decimal(2)}, got a string of 6 characters`],
    [
      '0.5',
      'JPY',
      "amount: expected a decimal string without digits behind the point, such as '1200', got a string of 3 characters",
    ],
    ['12.001', 'USD', `amount: expected ${decimal(2)}, got a string of 6 characters`],
    [
      '0.1',
      'JPY',
      "amount: expected a decimal string without digits behind the point, such as '1200', got a string of 3 characters",
    ],
    ['1,200.00', 'USD', `amount: expected ${decimal(2)}, got a string of 8 characters`],
    ['-1', 'USD', `amount: expected ${decimal(2)}, got a string of 2 characters`],
    ['1e3', 'USD', `amount: expected ${decimal(2)}, got a string of 3 characters`],
    [' 1', 'USD', `amount: expected ${decimal(2)}, got a string of 2 characters`],
    ['', 'USD', `amount: expected ${decimal(2)}, got an empty string`],
    [
      '90071992547409.92',
      'USD',
      'amount: expected at most 9007199254740991 minor units, got a string of 17 characters',
    ],
    [12, 'USD', `amount: expected ${decimal(2)}, got the number 12`],
    ['12.00', 'XXX', "currency: expected an ISO 4217 code with a minor unit, such as 'USD', got 'XXX'"],
    ['12.00', undefined, "currency: expected an ISO 4217 code with a minor unit, such as 'USD', got nothing"],
  ])('refuses %j %s', (amount, currency, issue) => {
    const message = `toMinorUnits.${issue}. Correct the arguments of toMinorUnits.`;
    expect(() => toMinorUnits(anything(amount), anything(currency))).toThrow(
      expect.objectContaining({ constructor: ConfigurationError, message }),
    );
  });
});
