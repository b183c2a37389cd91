/** Reaches inside: the page and its script read a card by the same rules, here without either. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandOf, isCodeOf, isPast, readExpiry, writeExpiry } from '../../src/pages/card-entry.ts';

describe('an expiry', () => {
  it.each(['1230', '12/30', '12 / 30', '12/2030', '12-30', ' 12.30 ', '122030', '12 30'])(
    'is read from %j',
    (text) => {
      expect(readExpiry(text)).toEqual({ month: 12, year: 2030 });
    },
  );

  it.each(['1/30', '01 30', '130', '0130'])('has a month of one digit, in %j', (text) => {
    expect(readExpiry(text)).toEqual({ month: 1, year: 2030 });
  });

  it.each(['', '13/30', '00/30', '0/30', '12/1930', '12', '12/3', 'abc', '12/30/1', '1230x'])(
    'is not %j',
    (text) => {
      expect(readExpiry(text)).toBeUndefined();
    },
  );

  it('is read back as it is written', () => {
    const anyExpiry = fc.record({
      month: fc.integer({ min: 1, max: 12 }),
      year: fc.integer({ min: 2000, max: 2099 }),
    });
    fc.assert(
      fc.property(anyExpiry, fc.constantFrom('/' as const, '' as const), (expiry, between) => {
        const text = writeExpiry(expiry, between);
        expect(text).toMatch(between === '' ? /^\d{4}$/ : /^\d\d\/\d\d$/);
        expect(readExpiry(text)).toEqual(expiry);
      }),
    );
  });

  it('is past only when its month has ended', () => {
    for (const [month, end] of [
      [2, Date.UTC(2030, 2)],
      [12, Date.UTC(2031, 0)],
    ] as const) {
      expect([isPast({ month, year: 2030 }, end - 1), isPast({ month, year: 2030 }, end)]).toEqual([
        false,
        true,
      ]);
    }
  });
});

describe('a card', () => {
  it.each([
    ['4111111111111111', 'Visa', [3], [4, 8, 12]],
    ['5555555555554444', 'Mastercard', [3], [4, 8, 12]],
    ['378282246310005', 'American Express', [4], [4, 10]],
    ['30569309025904', 'Diners Club', [3], [4, 10]],
    // A test card of no brand.
    ['9999001000000010', undefined, [3, 4], undefined],
    // Not decided by its first digit.
    ['6', undefined, [3, 4], undefined],
  ] as const)('%s is of the brand %s, which decides its gaps and its code', (number, name, lengths, gaps) => {
    expect([brandOf(number)?.name, brandOf(number)?.gaps]).toEqual([name, gaps]);
    const accepted = [2, 3, 4, 5].filter((length) => isCodeOf(number, '1'.repeat(length)));
    expect(accepted).toEqual(lengths);
    expect(isCodeOf(number, '12a')).toBe(false);
  });
});
