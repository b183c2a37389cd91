/** Reaches inside: no entry exports the building blocks of schemas, and responses use only some of them. */

import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as s from '../../src/base/schema.ts';
import { check, conforms, issuesOf } from '../../src/base/validation.ts';

const issueLines = (schema: s.Schema<unknown>, value: unknown) =>
  issuesOf(schema, value).map(({ path, expected, received }) => `${path}: ${expected}, got ${received}`);

/** Values of every kind, some of them close to real field values. */
const anyValue = fc.oneof(
  fc.anything(),
  fc.constantFrom<unknown>('ch_1', 'rf_1', 'rf_', 'one', 'ab', 'AB', '', 1200, 1.5, -0, 0, 1),
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, true, null, undefined),
  fc.constantFrom<unknown>({}, [], { a: 'b' }, { a: 1 }, { a: 'b', c: 1 }, new Map(), new Date()),
  fc.constantFrom<unknown>(Object.assign(Object.create(null), { a: 'b' }), ['a'], [1], [undefined]),
);

interface SchemaCase {
  readonly make: () => s.Schema<unknown>;
  /** The same schema in plain zod. */
  readonly peer: () => z.ZodMiniType;
  readonly valid: readonly unknown[];
  readonly invalid: readonly (readonly [value: unknown, ...issues: string[]])[];
}

const schemaCases: Readonly<Record<string, SchemaCase>> = {
  'a string': {
    make: () => s.string(),
    peer: () => z.string(),
    valid: ['', 'a'],
    invalid: [[1.5, '(root): a string, got the number 1.5']],
  },
  'an integer': {
    make: () => s.integer(),
    peer: () => z.int(),
    valid: [0, -7, Number.MAX_SAFE_INTEGER],
    invalid: [
      [1.5, '(root): an integer, got the number 1.5'],
      ['7', '(root): an integer, got a string of 1 character'],
      [Number.NaN, '(root): an integer, got the number NaN'],
      [2 ** 53, '(root): an integer, got a number'],
    ],
  },
  'a boolean': {
    make: () => s.boolean(),
    peer: () => z.boolean(),
    valid: [true, false],
    invalid: [[0, '(root): true or false, got the number 0']],
  },
  unknown: { make: () => s.unknown(), peer: () => z.unknown(), valid: [null, 1, undefined], invalid: [] },
  absent: {
    make: () => s.absent('no key'),
    peer: () => z.undefined(),
    valid: [undefined],
    invalid: [[null, '(root): no key, got null']],
  },
  'a literal': {
    make: () => s.literal('one'),
    peer: () => z.literal('one'),
    valid: ['one'],
    invalid: [['two', "(root): 'one', got 'two'"]],
  },
  'a prefixed string': {
    make: () => s.prefixed('rf_', 'an id'),
    peer: () => z.templateLiteral(['rf_', z.string()]),
    valid: ['rf_1', 'rf_'],
    invalid: [
      ['cus', "(root): an id, got 'cus'"],
      [null, '(root): an id, got null'],
    ],
  },
  'an array': {
    make: () => s.array(s.string()),
    peer: () => z.array(z.string()),
    valid: [[], ['a']],
    invalid: [
      [{}, '(root): an array, got an object'],
      [['a', null], '[1]: a string, got null'],
    ],
  },
  'a record': {
    make: () => s.record(s.string()),
    peer: () => z.record(z.string(), z.string()),
    valid: [{}, { a: 'b' }],
    invalid: [
      [[], '(root): an object, got an array of 0'],
      [new Map(), '(root): an object, got an object'],
      [{ a: 1 }, 'a: a string, got the number 1'],
    ],
  },
  'an object': {
    make: () => s.object({ a: s.string() }),
    peer: () => z.looseObject({ a: z.string() }),
    valid: [{ a: 'b', c: 1 }],
    invalid: [
      ['x', "(root): an object, got 'x'"],
      [{ c: 1 }, 'a: a string, got nothing'],
    ],
  },
  'an object with a catchall': {
    make: () => s.catchall(s.object({ a: s.optional(s.integer()) }), s.string()),
    peer: () => z.catchall(z.object({ a: z.optional(z.int()) }), z.string()),
    valid: [{}, { a: 1, b: 'c' }],
    invalid: [
      [null, '(root): an object, got null'],
      [{ a: 1, b: 2, c: 'd', e: 3 }, 'b: a string, got the number 2', 'e: a string, got the number 3'],
      [{ a: 'b' }, "a: an integer, got 'b'"],
    ],
  },
  'a strict object': {
    make: () => s.strictObject({ a: s.optional(s.string()), timeout: s.optional(s.integer()) }),
    peer: () => z.strictObject({ a: z.optional(z.string()), timeout: z.optional(z.int()) }),
    valid: [{}, { a: 'b' }],
    invalid: [
      [
        { a: 1, metadata: undefined },
        'a: a string, got the number 1',
        'metadata: one of a, timeout, got an unknown option',
      ],
      [
        { timout: 1, b: 2 },
        "timout: a known name, got an unknown option (did you mean 'timeout'?)",
        "b: a known name, got an unknown option (did you mean 'a'?)",
      ],
    ],
  },
  'a partial object': {
    make: () => s.partial(s.object({ a: s.string() })),
    peer: () => z.partial(z.looseObject({ a: z.string() })),
    valid: [{}, { a: 'b' }],
    invalid: [[{ a: null }, 'a: a string, got null']],
  },
  'a schema made on its first use': {
    make: () => s.lazily(() => s.object({ a: s.lazily(() => s.string()) })),
    peer: () => z.looseObject({ a: z.string() }),
    valid: [{ a: 'b', c: 1 }],
    invalid: [
      [[], '(root): an object, got an array of 0'],
      [{ a: null }, 'a: a string, got null'],
    ],
  },
  optional: {
    make: () => s.optional(s.array(s.string())),
    peer: () => z.optional(z.array(z.string())),
    valid: [undefined, []],
    invalid: [
      [null, '(root): an array, got null'],
      [[1], '[0]: a string, got the number 1'],
    ],
  },
  nullable: {
    make: () => s.nullable(s.array(s.string())),
    peer: () => z.nullable(z.array(z.string())),
    valid: [null, []],
    invalid: [
      [undefined, '(root): an array, got nothing'],
      [[1], '[0]: a string, got the number 1'],
    ],
  },
  'a string of bounded length': {
    make: () => s.filled('text').check(s.maximumLength(3)),
    peer: () => z.string().check(z.minLength(1), z.maxLength(3)),
    valid: ['a', 'abc'],
    invalid: [
      ['', '(root): text, got an empty string'],
      ['abcd', "(root): at most 3 characters, got 'abcd'"],
      [[], '(root): text, got an array of 0'],
    ],
  },
  'a union': {
    make: () => s.union([s.string(), s.integer()]),
    peer: () => z.union([z.string(), z.int()]),
    valid: ['a', 1],
    invalid: [[null, '(root): a string or an integer, got null']],
  },
  'one of several literals': {
    make: () => s.literal(['one', 'two']),
    peer: () => z.literal(['one', 'two']),
    valid: ['one', 'two'],
    invalid: [['three', "(root): 'one' or 'two', got 'three'"]],
  },
  'a string with a pattern': {
    make: () => s.string().check(s.regex(/^[a-z]+$/, 'letters')),
    peer: () => z.string().check(z.regex(/^[a-z]+$/)),
    valid: ['a'],
    invalid: [['A', "(root): letters, got 'A'"]],
  },
  'an integer with a minimum': {
    make: () => s.integer().check(s.minimum(1, 'one')),
    peer: () => z.int().check(z.minimum(1)),
    valid: [1, 2],
    invalid: [[0, '(root): one, got the number 0']],
  },
  'an array that is not empty': {
    make: () => s.array(s.unknown()).check(s.notEmpty()),
    peer: () => z.array(z.unknown()).check(z.minLength(1)),
    valid: [[1], [undefined]],
    invalid: [
      [[], '(root): at least 1 item, got an array of 0'],
      ['', '(root): an array, got an empty string'],
    ],
  },
};

afterEach(() => void z.config({ jitless: false }));

describe.each([
  ['compiled', false],
  ['interpreted, as when code generation is forbidden', true],
])('a schema %s', (_, jitless) => {
  it.each(Object.entries(schemaCases))('of %s names what it expected', (_name, { make, valid, invalid }) => {
    z.config({ jitless });
    const schema = make();
    for (const value of valid) {
      expect(issueLines(schema, value)).toEqual([]);
      expect(check(schema, value)).toEqual({ value });
    }
    for (const [value, ...issues] of invalid) {
      expect(issueLines(schema, value)).toEqual(issues);
      expect(conforms(schema, value)).toBe(false);
    }
  });

  it.each(Object.entries(schemaCases))(
    'of %s accepts the same values as plain zod',
    (_name, { make, peer }) => {
      z.config({ jitless });
      const [own, other] = [make(), peer()];
      fc.assert(
        fc.property(anyValue, (value) => {
          // zod's own record skips this field.
          fc.pre(!Object.hasOwn(Object(value), '__proto__'));
          expect(conforms(own, value)).toBe(other.safeParse(value).success);
          expect(issueLines(own, value).length === 0).toBe(conforms(own, value));
        }),
        { numRuns: 1000 },
      );
    },
  );
});

describe('a record', () => {
  it('refuses inherited fields, since they would not be sent', () => {
    expect(conforms(s.record(s.string()), Object.create({ a: 'b' }))).toBe(false);
  });

  it('checks a field named __proto__ too, since it would be sent', () => {
    expect(conforms(s.record(s.string()), JSON.parse('{"__proto__":[]}'))).toBe(false);
    expect(conforms(s.record(s.string()), JSON.parse('{"__proto__":"b"}'))).toBe(true);
  });

  it('accepts an object of another realm', () => {
    expect(conforms(s.record(s.string()), runInNewContext('({ a: "b" })'))).toBe(true);
  });
});

describe('a check', () => {
  it('runs even after another check has failed', () => {
    const text = s.filled('text').check(s.regex(/^[a-z]+$/, 'letters'));
    expect(issueLines(text, '')).toEqual([
      '(root): text, got an empty string',
      '(root): letters, got an empty string',
    ]);
  });

  it('skips later checks if it aborts', () => {
    const isEven = (text: string) => Number(text) % 2 === 0;
    const code = s
      .string()
      .check(s.regex(/^\d+$/, { error: 'digits', abort: true }), s.refine(isEven, 'an even number'));
    expect(issueLines(code, 'x')).toEqual(["(root): digits, got 'x'"]);
    expect(issueLines(code, '3')).toEqual(['(root): an even number, got a string of 1 character']);
  });
});
