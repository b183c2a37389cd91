/** Reaches inside: both forms of a schema give the same result in a call, so that only the schema itself can be asked for each verdict. */

import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { compile, safeParse, validate } from 'zod/v4/core';
import { fieldNames, type Schema } from '../../../src/base/schema.ts';
import { callOptionsSchema, listOptionsSchema } from '../../../src/http/call-options.ts';
import { checkoutSessionCreateSchema } from '../../../src/resources/checkout-sessions.ts';
import { creditNoteCreateSchema } from '../../../src/resources/credit-notes.ts';
import { customerCreateSchema } from '../../../src/resources/customers.ts';
import { captureSchema, paymentIntentCreateSchema } from '../../../src/resources/payment-intents.ts';
import { refundCreateSchema } from '../../../src/resources/refunds.ts';
import { resourceSchemas } from '../../../src/resources/schemas.ts';
import { subscriptionCreateSchema } from '../../../src/resources/subscriptions.ts';
import { transactionSchemas } from '../../../src/transact/params.ts';
import { schemaFor } from '../../../src/webhooks/events/parse.ts';
import { changed, objectNames, placesOf, validObject } from '../../support/sample-objects.ts';

const inheriting = Object.assign(Object.create({ order: 7 }), { note: 'tea' });
const withGetter = Object.defineProperty({}, 'order', { enumerable: true, get: () => 'tea' });
// biome-ignore lint/suspicious/noSparseArray: a list may lack an item
const sparse = ['tea', , 'milk'];

/** Values that a check may read in another way than its author meant. */
const oddValues: readonly unknown[] = [
  undefined,
  null,
  '',
  'tea',
  '7',
  ' ',
  '\u{1F375}',
  0,
  -1,
  7,
  7.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  7n,
  true,
  Symbol('tea'),
  () => 'tea',
  [],
  [7],
  sparse,
  Object.assign(['tea'], { order: 7 }),
  {},
  { order: 'tea' },
  { order: 7 },
  { order: undefined },
  Object.create(null),
  inheriting,
  Object.create({ order: 'tea' }),
  JSON.parse('{"__proto__": 7, "constructor": "tea"}'),
  withGetter,
  new Proxy({ order: 'tea' }, {}),
  runInNewContext('({ order: "tea" })'),
  runInNewContext('["tea"]'),
  new Map([['order', 'tea']]),
  new Set(['tea']),
  new Date(0),
  /tea/,
  new String('tea'),
  new Number(7),
  new (class Order {
    order = 'tea';
  })(),
];

const interpreted = (schema: Schema<unknown>, value: unknown) => safeParse(schema, value).success;

const bySchema = [
  ...Object.entries(resourceSchemas),
  ...Object.entries(transactionSchemas.decimal),
  ...Object.entries({
    callOptionsSchema,
    listOptionsSchema,
    checkoutSessionCreateSchema,
    creditNoteCreateSchema,
    customerCreateSchema,
    captureSchema,
    paymentIntentCreateSchema,
    refundCreateSchema,
    subscriptionCreateSchema,
  }),
  ...['refund.failed', 'checkout.session.completed', 'chargeback.received'].map(
    (type) => [type, schemaFor(type)] as const,
  ),
] as readonly (readonly [name: string, schema: Schema<unknown>])[];

describe.each(bySchema)('the compiled schema of %s', (_, schema) => {
  const compiled = compile(schema);

  it('is generated code', () => {
    expect(compiled).not.toBe(schema);
  });

  it('gives the verdict of the interpreted one for any value', () => {
    for (const value of oddValues) {
      expect(validate(compiled, value), String(typeof value)).toBe(interpreted(schema, value));
    }
  });

  it('gives the verdict of the interpreted one for any value of each field of its own', () => {
    for (const name of fieldNames(schema)) {
      for (const value of oddValues) {
        for (const given of [{ [name]: value }, Object.create({ [name]: value })]) {
          expect(validate(compiled, given), name).toBe(interpreted(schema, given));
        }
      }
    }
  });
});

describe.each(objectNames)('the compiled schema of a whole %s', (name) => {
  const schema: Schema<unknown> = resourceSchemas[name];
  const compiled = compile(schema);

  it('accepts it', () => {
    expect(validate(compiled, validObject(name))).toBe(true);
  });

  it('gives the verdict of the interpreted one with any value in any place', () => {
    for (const { path, at } of placesOf(name)) {
      for (const value of oddValues) {
        const given = changed(name, path, value);
        expect(validate(compiled, given), at).toBe(interpreted(schema, given));
      }
    }
  });

  it('gives the verdict of the interpreted one with an inherited value in any place', () => {
    for (const { path, at } of placesOf(name)) {
      const given: object = changed(name, path, undefined);
      const [field = ''] = path;
      if (path.length > 1) continue;
      Object.setPrototypeOf(given, { [field]: Reflect.get(validObject(name), field) });
      expect(validate(compiled, given), at).toBe(interpreted(schema, given));
    }
  });
});
