/** Reaches inside: no entry exports the schemas' building blocks, and a response meets only some of them.
 *
 * Schemas: what they let pass, and what they say of the rest, held against zod, which says the same by other means.
 */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { toZod } from '../../scripts/reference/to-zod.ts';
import { checkBy, conforms, findIssues, type Schema } from '../../src/base/schema.ts';
import * as s from '../../src/base/shapes.ts';
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

const said = (schema: Schema<unknown>, value: unknown) =>
  findIssues(schema, value).map(({ path, expected, received }) => `${path}: ${expected}, got ${received}`);

describe('a schema', () => {
  const rule = <T>(expected: string, holds: (value: T) => boolean) => ({ expected, holds });
  const rows: readonly (readonly [
    name: string,
    make: () => Schema<unknown>,
    right: readonly unknown[],
    wrong: readonly (readonly [value: unknown, ...words: string[]])[],
  ])[] = [
    ['a text', () => s.string(), ['', 'a'], [[1.5, '(root): a string, got the number 1.5']]],
    ['an integer', () => s.integer(), [0, -7], [[1.5, '(root): an integer, got the number 1.5']]],
    ['a truth', () => s.boolean(), [true, false], [[0, '(root): true or false, got the number 0']]],
    ['anything', () => s.unknown(), [null, 1, undefined], []],
    ['nothing', () => s.absent('no key'), [undefined], [[null, '(root): no key, got null']]],
    ['one word', () => s.literal('one'), ['one'], [['two', "(root): 'one', got 'two'"]]],
    ['an id', () => s.prefixed('rf_', 'an id'), ['rf_1'], [['cus', "(root): an id, got 'cus'"]]],
    [
      'a list',
      () => s.array(s.string()),
      [[], ['a']],
      [
        [{}, '(root): an array, got an object'],
        [['a', null], '[1]: a string, got null'],
      ],
    ],
    [
      'fields of a kind',
      () => s.record(s.boolean()),
      [{}, { a: true }],
      [
        [[], '(root): an object, got an array of 0'],
        [{ a: 1 }, 'a: true or false, got the number 1'],
      ],
    ],
    [
      'fields',
      () => s.object({ a: s.string() }),
      [{ a: 'b', c: 1 }],
      [
        ['x', "(root): an object, got 'x'"],
        [{ c: 1 }, 'a: a string, got nothing'],
      ],
    ],
    [
      'fields and others',
      () => s.objectWith({ a: s.optional(s.integer()) }, s.string()),
      [{}, { a: 1, b: 'c' }],
      [
        [null, '(root): an object, got null'],
        [{ a: 1, b: 2, c: 'd', e: 3 }, 'b: a string, got the number 2', 'e: a string, got the number 3'],
        [{ a: 'b' }, "a: an integer, got 'b'"],
      ],
    ],
    [
      'fields or not',
      () => s.partial({ a: s.string() }),
      [{}, { a: 'b' }],
      [[{ a: null }, 'a: a string, got null']],
    ],
    [
      'what may be left out',
      () => s.optional(s.array(s.string())),
      [undefined, []],
      [
        [null, '(root): an array, got null'],
        [[1], '[0]: a string, got the number 1'],
      ],
    ],
    [
      'what may be null',
      () => s.nullable(s.array(s.string())),
      [null, []],
      [
        [undefined, '(root): an array, got nothing'],
        [[1], '[0]: a string, got the number 1'],
      ],
    ],
    [
      'a text of some length',
      () => s.withRules(s.string(), s.filled('text')),
      ['a'],
      [['', '(root): text, got an empty string']],
    ],
    [
      'letters',
      () => s.withRules(s.string(), s.pattern(/^[a-z]+$/, 'letters')),
      ['a'],
      [['A', "(root): letters, got 'A'"]],
    ],
    [
      'a number from one',
      () => s.withRules(s.integer(), s.minimum(1, 'one')),
      [1, 2],
      [[0, '(root): one, got the number 0']],
    ],
  ];

  it.each(rows)('of %s says what it expected', (_name, make, right, wrong) => {
    const schema = make();
    for (const value of right) {
      expect(said(schema, value)).toEqual([]);
      expect(checkBy(schema)(value)).toEqual({ value });
    }
    for (const [value, ...words] of wrong) expect(said(schema, value)).toEqual(words);
  });

  it.each(rows)('of %s is the same for the references', (_name, make, right, wrong) => {
    const peer = toZod(make());
    for (const value of right) expect(peer.safeParse(value).success).toBe(true);
    const passing = wrong.filter(([value]) => peer.safeParse(value).success);
    // Rules are told to the references as keywords, which zod does not check.
    expect(passing).toHaveLength(make().rules.length);
  });

  it('of rules tells them to the references as keywords', () => {
    const rules = [s.filled('text'), s.pattern(/^[a-z]+$/, 'letters')];
    expect(rules.map(({ keyword }) => keyword)).toEqual([{ minLength: 1 }, { pattern: '^[a-z]+$' }]);
    expect(s.minimum(3, 'three').keyword).toEqual({ minimum: 3 });
  });

  it('asks every rule, and asks those of what may be absent of nothing too', () => {
    const text = s.withRules(s.string(), s.filled('text'), s.pattern(/^[a-z]+$/, 'letters'));
    expect(said(text, '')).toEqual([
      '(root): text, got an empty string',
      '(root): letters, got an empty string',
    ]);
    const given = s.withRules(
      s.optional(s.string()),
      rule('a gift', (value) => value !== undefined),
    );
    expect(said(given, undefined)).toEqual(['(root): a gift, got nothing']);
    const full = s.withRules(
      s.nullable(s.string()),
      rule('a gift', (value) => value !== null),
    );
    expect(said(full, null)).toEqual(['(root): a gift, got null']);
  });

  it.each([
    ['a list', () => s.array(s.string()), Array.from({ length: 30 }, () => 1)],
    [
      'fields',
      () => s.record(s.string()),
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 1])),
    ],
  ])('names twenty wrong parts of %s and no more', (_what, make, value) => {
    expect(said(make(), value)).toHaveLength(20);
  });
});
