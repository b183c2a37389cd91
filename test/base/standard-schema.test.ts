import { ResponseValidationError, type StandardSchema } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { product } from '../support/fixtures.ts';
import { answered } from '../support/mock-service.ts';

describe('a schema of the user', () => {
  function standard(validate: StandardSchema<unknown>['~standard']['validate']): StandardSchema<unknown> {
    return { '~standard': { version: 1, validate } };
  }
  const refused = 'a value that your schema accepts';

  it.each<[what: string, schema: StandardSchema<unknown>, issues: readonly object[]]>([
    [
      'refuses the whole value',
      standard(() => ({ issues: [{ message: 'no' }] })),
      [{ path: '(root)', expected: refused, received: 'a refusal: no' }],
    ],
    [
      'reports paths of keys and segments',
      standard(() => ({
        issues: [
          { message: 'no', path: ['a', { key: 0 }, { key: 'b' }] },
          { message: 'nor', path: [1] },
        ],
      })),
      [
        { path: 'a[0].b', expected: refused, received: 'a refusal: no' },
        { path: '[1]', expected: refused, received: 'a refusal: nor' },
      ],
    ],
    [
      'throws',
      standard(() => {
        throw new Error('broken');
      }),
      [{ path: '(root)', expected: refused, received: 'a refusal: it threw' }],
    ],
    [
      'returns a promise',
      standard(async (value) => ({ value })),
      [{ path: '(root)', expected: 'a synchronous schema', received: 'one that returns a promise' }],
    ],
  ])('that %s leads to an error with its issues', async (_what, schema, issues) => {
    const products = answered(product('prod_1')).products.withSchema(schema);
    expect((await failureOf(products.retrieve('prod_1'), ResponseValidationError)).issues).toEqual(issues);
  });
});
