/** Mistakes in options that all modules share: each kind of option has one schema, and says what it expected and what came. */

import { ConfigurationError, InvalidRequestError, type PaymentsClient } from 'payments-client';
import { typicalVelocityRules } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { answered } from '../../support/mock-service.ts';

function issuesOf(make: () => unknown): ConfigurationError['issues'] {
  try {
    make();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.issues;
    throw error;
  }
}

describe('an integer within bounds', () => {
  it.each<[value: unknown, received: string]>([
    [0, 'the number 0'],
    [10_000_001, 'the number 10000001'],
    [1.5, 'the number 1.5'],
    [-99_999_999_999.5, 'the number -99999999999.5'],
    [1e11 + 0.5, 'a number'],
    [-1e11, 'a number'],
    [Number.NaN, 'the number NaN'],
    [Number.POSITIVE_INFINITY, 'the number Infinity'],
    ['', 'an empty string'],
    ['7', 'a string of 1 character'],
    ['all', "'all'"],
    ['a1', 'a string of 2 characters'],
    ['all of sixteen ch', 'a string of 17 characters'],
    [7n, 'a bigint'],
    [() => {}, 'a function'],
    [true, 'true'],
    [null, 'null'],
    [{}, 'an object'],
    [[1, 2], 'an array of 2'],
  ])(
    'refuses %o with one issue, which repeats no more than a short word or number',
    (maxEntries, received) => {
      const expected = 'an integer from 1 to 10000000';
      expect(issuesOf(() => memoryStore(anything({ maxEntries })))).toEqual([
        { path: 'memoryStore.maxEntries', expected, received },
      ]);
    },
  );

  it.each([1, 10_000_000, undefined])('accepts %o', (maxEntries) => {
    expect(issuesOf(() => memoryStore({ maxEntries }))).toEqual([]);
  });

  it.each([
    ['by offset', { offset: 0 }, [0, 101], [1, 100]],
    ['by cursor', { starting_after: 'prod_1' }, [0, 1.5], [1, 101]],
  ] as const)('is the limit of a list %s', async (_, rest, refused, accepted) => {
    const list = (payments: PaymentsClient, limit: number) => payments.products.list({ ...rest, limit });
    const payments = answered({ data: [], has_more: false });
    for (const limit of refused) {
      const { issues } = await failureOf(list(payments, limit), InvalidRequestError);
      expect(issues).toMatchObject([{ path: 'limit', received: `the number ${limit}` }]);
    }
    for (const limit of accepted) expect((await list(payments, limit)).items).toEqual([]);
  });
});

describe('an unknown option', () => {
  it('is reported with the option that was probably meant', () => {
    expect(issuesOf(() => memoryStore(anything({ maxEntrys: 1 })))).toMatchObject([
      { path: 'memoryStore.maxEntrys', received: "an unknown option (did you mean 'maxEntries'?)" },
    ]);
  });

  it.each(['4929876512340988', 'sk_v1_test_abcdefgh', 'sk_v1_test_abcdefgh.abc', 'a\nb'])(
    'is not repeated if it may be a secret: %j',
    (name) => {
      for (const make of [
        () => memoryStore(anything({ [name]: 1 })),
        () => createSandbox(anything({ [name]: 1 })),
        () => createSandbox({ webhooks: [anything({ url: 'http://localhost/', [name]: 1 })] }),
        () => typicalVelocityRules(anything({ [name]: 1 })),
      ]) {
        const issues = issuesOf(make);
        expect(issues).toMatchObject([{ received: 'an unknown option' }]);
        expect(JSON.stringify(issues)).not.toContain(JSON.stringify(name).slice(1, -1));
        expect(make).not.toThrow(name);
      }
    },
  );
});
