/** The quick check of schemas: what it lets pass, the schema lets pass, and what is right does not need the schema. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { surelyConforms } from '../../src/core/conforms.ts';
import type { Schema } from '../../src/core/schema.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';
import { changed, objectNames, placesOf, validObject } from '../resources/samples.ts';

/** Values of every kind, some of them close to what fields hold. */
const anyValue = fc.oneof(
  fc.anything(),
  fc.constantFrom(
    'ch_1',
    'pi_',
    'refund',
    '',
    1200,
    1.5,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    true,
  ),
  fc.constantFrom(
    null,
    undefined,
    {},
    [],
    { a: 'b' },
    { a: 1 },
    new Map(),
    new Date(),
    Object.create({ a: 1 }),
  ),
);

describe.each(objectNames)('the schema of a %s', (name) => {
  const schema: Schema<unknown> = resourceSchemas[name];

  it('lets a right one pass at once', () => {
    expect(surelyConforms(schema, validObject(name))).toBe(true);
    expect(surelyConforms(schema, { ...validObject(name), more: { of: 'it' } })).toBe(true);
  });

  it('lets nothing pass that the schema refuses', () => {
    const place = fc.constantFrom(...placesOf(name));
    fc.assert(
      fc.property(place, anyValue, ({ path }, value) => {
        const other = changed(name, path, value);
        if (surelyConforms(schema, other)) expect(schema.safeParse(other).success).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

const unfamiliar: [string, Schema<unknown>, unknown][] = [
  ['a format', z.iso.date(), '2026-01-31'],
  ['any number', z.number(), 1],
  ['a strict object', z.strictObject({ a: z.string() }), { a: 'b' }],
  ['a refinement', z.looseObject({ a: z.string() }).check(z.refine(() => false)), { a: 'b' }],
  ['several literals', z.literal(['a', 'b']), 'b'],
  ['a union', z.union([z.string(), z.boolean()]), 'a'],
  ['keys of a form', z.record(z.string().check(z.minLength(2)), z.string()), { a: 'b' }],
];

describe.each(unfamiliar)('%s, which it does not know,', (_name, schema, value) => {
  it('is left to the schema', () => {
    expect(surelyConforms(schema, value)).toBe(false);
    expect(surelyConforms(z.looseObject({ inside: schema }), { inside: value })).toBe(false);
  });
});

it('knows bounds and patterns, so that what is right needs no schema', () => {
  const bounded = z.string().check(z.minLength(2), z.maxLength(3), z.regex(/^[a-z]+$/));
  for (const [value, conforms] of [
    ['a', false],
    ['ab', true],
    ['abc', true],
    ['abcd', false],
    ['AB', false],
    [['a', 'b'], false],
  ] as const) {
    expect(surelyConforms(bounded, value)).toBe(conforms);
  }
  const amount = z.int().check(z.minimum(1));
  for (const [value, conforms] of [
    [0, false],
    [1, true],
    [1.5, false],
    ['2', false],
    [2, true],
  ] as const) {
    expect(surelyConforms(amount, value)).toBe(conforms);
  }
});

it('leaves a pattern that remembers where it was to the schema', () => {
  expect(surelyConforms(z.string().check(z.regex(/a/g)), 'a')).toBe(false);
});

it('agrees with schemas of all kinds that it knows', () => {
  const known = z.looseObject({
    text: z.string(),
    filled: z.string().check(z.minLength(1)),
    short: z.string().check(z.minLength(1), z.maxLength(3), z.regex(/^[a-z_]+$/)),
    positive: z.int().check(z.minimum(1)),
    several: z.array(z.string()).check(z.minLength(1)),
    yes: z.boolean(),
    number: z.int(),
    one: z.literal('one'),
    id: z.templateLiteral(['rf_', z.string()]),
    maybe: z.optional(z.string()),
    nothing: z.nullable(z.int()),
    list: z.array(z.int()),
    notes: z.record(z.string(), z.string()),
    whatever: z.unknown(),
  });
  const fields = Object.fromEntries(Object.keys(known.def.shape).map((field) => [field, anyValue]));
  fc.assert(
    fc.property(fc.record(fields, { requiredKeys: [] }), (value) => {
      if (surelyConforms(known, value)) expect(known.safeParse(value).success).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
