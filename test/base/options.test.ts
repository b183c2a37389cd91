/** Options that are wrong in the same ways in every room: each has one schema, and one form of message. */

import { compileFraudPolicy } from 'payments-client/fraud';
import { createSandbox } from 'payments-client/sandbox';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';

describe('an integer within bounds', () => {
  const expected = 'memoryStore.maxEntries: expected an integer from 1 to 10000000, got ';

  it.each<[value: unknown, received: string]>([
    [0, 'the number 0'],
    [10_000_001, 'the number 10000001'],
    [1.5, 'the number 1.5'],
    [-1.5, 'the number -1.5'],
    [Number.NaN, 'the number NaN'],
    [Number.POSITIVE_INFINITY, 'the number Infinity'],
    ['7', 'a string of 1 characters'],
    [7n, 'a bigint'],
    [null, 'null'],
  ])('refuses %o once', (maxEntries, received) => {
    const advice = '. Correct the options of memoryStore.';
    expect(() => memoryStore(anything({ maxEntries }))).toThrow(
      new RegExp(`^${expected}${received}${advice}$`),
    );
  });

  it.each([1, 10_000_000, undefined])('takes %o', (maxEntries) => {
    expect(() => memoryStore({ maxEntries })).not.toThrow();
  });
});

describe('a name that no option has', () => {
  it('is named with the one that was probably meant', () => {
    expect(() => memoryStore(anything({ maxEntrys: 1 }))).toThrow(
      "memoryStore.maxEntrys: expected one of maxEntries, now, got an unknown option (did you mean 'maxEntries'?)",
    );
  });

  it.each(['4929876512340988', 'sk_v1_test_abcdefgh', 'sk_v1_test_abcdefgh.abc', 'a\nb'])(
    'is not repeated where it may be a secret: %j',
    (name) => {
      const shown = (make: () => unknown) => {
        try {
          make();
          return 'nothing was refused';
        } catch (error) {
          return String(error);
        }
      };
      for (const make of [
        () => memoryStore(anything({ [name]: 1 })),
        () => createSandbox(anything({ [name]: 1 })),
        () => createSandbox({ webhooks: [anything({ url: 'http://localhost/', [name]: 1 })] }),
        () => compileFraudPolicy({ avs: anything({ [name]: 1 }) }),
      ]) {
        expect(shown(make)).toContain('got an unknown option');
        expect(shown(make)).not.toContain(name);
      }
    },
  );
});
