import * as fc from 'fast-check';
import { allocateAmount } from 'payments-client';
import { describe, expect, it } from 'vitest';

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

  it('preserves the total, and each part is less than a unit away from its share', () => {
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

  it.each<[amount: number, weights: number[], message: string]>([
    [1.5, [1], 'minorUnits: expected an integer from 0, in minor units, got the number 1.5'],
    [1, [1, 0.5], 'weights[1]: expected an integer from 0, got the number 0.5'],
    [1, [-1], 'weights[0]: expected an integer from 0, got the number -1'],
    [1, [0, 0], 'weights: expected at least one that is not 0, got none'],
    [1, [], 'weights: expected at least one that is not 0, got none'],
  ])('refuses %s by %j', (amount, weights, message) => {
    expect(() => allocateAmount(amount, weights)).toThrow(
      `allocateAmount.${message}. Correct the arguments of allocateAmount.`,
    );
  });
});
