import { PaymentsError, ResponseValidationError, type StandardSchema, unknownField } from 'payments-client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { failureOf } from '../../support/failure.ts';
import { answered } from '../../support/mock-service.ts';

const tea = { id: 'prod_1', object: 'product', livemode: false, name: 'Tea' };
const { products } = answered(tea);

function standard<T>(validate: StandardSchema<T>['~standard']['validate']): StandardSchema<T> {
  return { '~standard': { version: 1, validate } };
}

const refusal = (path: string, why: string) => ({
  path,
  expected: 'a value that your schema accepts',
  received: `a refusal: ${why}`,
});

describe('a schema of the user', () => {
  it('may be of any library, and decides the value and its type', async () => {
    const byHand = products.withSchema(
      standard((value) => ({ value: { size: Object.keys(Object(value)).length } })),
    );
    const found = await byHand.retrieve('prod_1');
    expectTypeOf(found).toEqualTypeOf<{ size: number }>();
    expect(found).toEqual({ size: 4 });
    const ofZod = products.withSchema(z.object({ name: z.string().transform((name) => name.length) }));
    expect(await ofZod.retrieve('prod_1')).toEqual({ name: 3 });
    const ofMini = await products.withSchema(mini.looseObject({ id: mini.string() })).retrieve('prod_1');
    expect(unknownField(ofMini, 'name')).toBe('Tea');
  });

  it.each<[what: string, schema: StandardSchema<unknown>, issues: readonly object[]]>([
    ['refuses the whole value', standard(() => ({ issues: [{ message: 'no' }] })), [refusal('(root)', 'no')]],
    [
      'reports paths of keys and segments',
      standard(() => ({
        issues: [
          { message: 'no', path: ['a', { key: 0 }, { key: 'b' }] },
          { message: 'nor', path: [1] },
        ],
      })),
      [refusal('a[0].b', 'no'), refusal('[1]', 'nor')],
    ],
    [
      'throws',
      standard(() => {
        throw new Error('broken');
      }),
      [refusal('(root)', 'it threw')],
    ],
    [
      'returns a promise',
      standard(async (value) => ({ value })),
      [{ path: '(root)', expected: 'a synchronous schema', received: 'one that returns a promise' }],
    ],
    [
      'repeats a card number',
      standard(() => ({ issues: [{ message: '4111 1111 1111 1111', path: ['4111111111111111'] }] })),
      [refusal('[redacted]', '[redacted]')],
    ],
  ])('that %s never hides that a create took effect', async (_what, schema, issues) => {
    const own = products.withSchema(schema);
    expect((await failureOf(own.retrieve('prod_1'), PaymentsError)).outcome).toBe('not_an_operation');
    const error = await failureOf(own.create({ name: 'Tea' }), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', body: tea });
    expect(error.issues).toEqual(issues);
  });
});
