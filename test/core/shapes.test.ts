/** Schemas: what they let pass, and what they say of the rest, held against zod, which says the same by other means. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { toZod } from '../../scripts/reference/to-zod.ts';
import { conforms, findIssues, type Schema } from '../../src/core/schema.ts';
import * as s from '../../src/core/shapes.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';
import { changed, objectNames, placesOf, validObject } from '../support/sample-objects.ts';

/** Values of every kind, some of them close to what fields hold. */
const anyValue = fc.oneof(
  fc.anything(),
  fc.constantFrom<unknown>(
    'ch_1',
    'pi_',
    'rf_1',
    'refund',
    'one',
    'ab',
    'abcd',
    'AB',
    '',
    1200,
    1.5,
    -0,
    0,
    1,
  ),
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, true, null, undefined),
  fc.constantFrom<unknown>({}, [], { a: 'b' }, { a: 1 }, new Map(), new Date()),
  fc.constantFrom<unknown>(Object.assign(Object.create(null), { a: 'b' }), ['a'], [1], [undefined]),
);

describe.each(objectNames)('the schema of a %s', (name) => {
  const schema: Schema<unknown> = resourceSchemas[name];
  const peer = toZod(schema);

  it('lets a right one pass, and fields that nobody knows yet', () => {
    expect(conforms(schema, validObject(name))).toBe(true);
    expect(conforms(schema, { ...validObject(name), more: { of: 'it' } })).toBe(true);
  });

  it('agrees with zod on any value in any place', () => {
    const place = fc.constantFrom(...placesOf(name));
    fc.assert(
      fc.property(place, anyValue, ({ path }, value) => {
        const other = changed(name, path, value);
        expect(conforms(schema, other)).toBe(peer.safeParse(other).success);
        expect(findIssues(schema, other).length > 0).toBe(!conforms(schema, other));
      }),
      { numRuns: 300 },
    );
  });
});

const shapes: Readonly<Record<string, readonly [Schema<unknown>, z.ZodMiniType]>> = {
  string: [s.string(), z.string()],
  integer: [s.integer(), z.int()],
  boolean: [s.boolean(), z.boolean()],
  unknown: [s.unknown(), z.unknown()],
  absent: [s.absent('nothing'), z.undefined()],
  literal: [s.literal('one'), z.literal('one')],
  prefixed: [s.prefixed('rf_', 'an id'), z.templateLiteral(['rf_', z.string()])],
  optional: [s.optional(s.string()), z.optional(z.string())],
  nullable: [s.nullable(s.integer()), z.nullable(z.int())],
  array: [s.array(s.string()), z.array(z.string())],
  record: [s.record(s.string()), z.record(z.string(), z.string())],
  object: [s.object({ a: s.string() }), z.looseObject({ a: z.string() })],
  'object with others': [
    s.objectWith({ a: s.optional(s.string()) }, s.string()),
    z.catchall(z.object({ a: z.optional(z.string()) }), z.string()),
  ],
  partial: [s.partial({ a: s.string() }), z.partial(z.looseObject({ a: z.string() }))],
  filled: [s.withRules(s.string(), s.filled('text')), z.string().check(z.minLength(1))],
  pattern: [s.withRules(s.string(), s.pattern(/^[a-z]+$/, 'letters')), z.string().check(z.regex(/^[a-z]+$/))],
  minimum: [s.withRules(s.integer(), s.minimum(1, 'one')), z.int().check(z.minimum(1))],
  'not empty': [s.withRules(s.array(s.unknown()), s.notEmpty), z.array(z.unknown()).check(z.minLength(1))],
};

it.each(Object.entries(shapes))('%s lets the same values pass as zod does', (_name, [own, peer]) => {
  fc.assert(
    fc.property(anyValue, (value) => {
      expect(conforms(own, value)).toBe(peer.safeParse(value).success);
    }),
    { numRuns: 2000 },
  );
});

it('record refuses fields that are inherited, since they would not be sent', () => {
  expect(conforms(s.record(s.string()), Object.create({ a: 'b' }))).toBe(false);
});

describe('what is said of a value that does not conform', () => {
  const line = s.object({ name: s.withRules(s.string(), s.filled('a name')), quantity: s.integer() });
  const order = s.withRules(
    s.object({
      id: s.prefixed('or_', 'an order'),
      lines: s.withRules(s.array(line), s.notEmpty),
      note: s.optional(s.string()),
    }),
    {
      expected: 'a note with several lines',
      holds: ({ lines, note }) => lines.length < 2 || note !== undefined,
    },
  );
  const said = (value: unknown) =>
    findIssues(order, value).map(({ path, expected, received }) => `${path}: ${expected}, got ${received}`);
  const tea = { name: 'Tea', quantity: 1 };

  it('is nothing where it does', () => {
    expect(said({ id: 'or_1', lines: [tea] })).toEqual([]);
  });

  it.each<[unknown, readonly string[]]>([
    [null, ['(root): an object, got null']],
    [{}, ['id: an order, got nothing', 'lines: an array, got nothing']],
    [{ id: 'or_1', lines: [] }, ['lines: at least 1 item, got an array of 0']],
    [
      { id: 'cus', lines: [{ name: '', quantity: 1.5 }], note: null },
      [
        "id: an order, got 'cus'",
        'lines[0].name: a name, got an empty string',
        'lines[0].quantity: an integer, got the number 1.5',
        'note: a string, got null',
      ],
    ],
    // The rule of the whole is not asked where a part is something else, but it is where a part breaks a rule of its own.
    [{ id: 'or_1', lines: [tea, { ...tea, name: 1 }] }, ['lines[1].name: a string, got a number']],
    [
      { id: 'or_1', lines: [tea, { ...tea, name: '' }] },
      ['lines[1].name: a name, got an empty string', '(root): a note with several lines, got an object'],
    ],
  ])('is all of it, and where: %j', (value, sentences) => {
    expect(said(value)).toEqual(sentences);
  });

  it('ends with a rule after which others make no sense', () => {
    const code = s.withRules(
      s.string(),
      { ...s.pattern(/^\d+$/, 'digits'), isLast: true },
      { expected: 'an even number', holds: (text) => Number(text) % 2 === 0 },
    );
    expect(findIssues(code, 'x').map(({ expected }) => expected)).toEqual(['digits']);
    expect(findIssues(code, '3').map(({ expected }) => expected)).toEqual(['an even number']);
  });
});
