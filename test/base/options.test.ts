/** Mistakes in options that all modules share: each kind of option has one schema and one message. */

import { typicalVelocityRules } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { createSandbox } from 'payments-client-sandbox';
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
    ['7', 'a string of 1 character'],
    [7n, 'a bigint'],
    [null, 'null'],
  ])('refuses %o with one issue', (maxEntries, received) => {
    const advice = '. Correct the options of memoryStore.';
    expect(() => memoryStore(anything({ maxEntries }))).toThrow(
      new RegExp(`^${expected}${received}${advice}$`),
    );
  });

  it.each([1, 10_000_000, undefined])('accepts %o', (maxEntries) => {
    expect(() => memoryStore({ maxEntries })).not.toThrow();
  });
});

describe('an unknown option', () => {
  it('is reported with the option that was probably meant', () => {
    expect(() => memoryStore(anything({ maxEntrys: 1 }))).toThrow(
      "memoryStore.maxEntrys: expected a known name, got an unknown option (did you mean 'maxEntries'?)",
    );
  });

  it.each(['4929876512340988', 'sk_v1_test_abcdefgh', 'sk_v1_test_abcdefgh.abc', 'a\nb'])(
    'is not repeated if it may be a secret: %j',
    (name) => {
      const messageOf = (make: () => unknown) => {
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
        () => typicalVelocityRules(anything({ [name]: 1 })),
      ]) {
        expect(messageOf(make)).toContain('got an unknown option');
        expect(messageOf(make)).not.toContain(name);
      }
    },
  );
});
