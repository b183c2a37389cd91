/** Reaches inside: no entry exports the building blocks of schemas, and responses use only some of them. */

import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as s from '../../../src/base/schema/schema.ts';
import { check, conforms, issuesOf } from '../../../src/base/schema/validation.ts';
import { bySize } from '../../support/size.ts';

const issueLines = (schema: s.Schema<unknown>, value: unknown) =>
  issuesOf(schema, value).map(({ path, expected, received }) => `${path}: ${expected}, got ${received}`);

/** Values of every kind, some of them close to real field values. */
const anyValue = fc.oneof(
  fc.anything(),
  fc.constantFrom<unknown>('rf_1', 'rf_', 'rf', 'abc', 'abcd', '', 1200, 1.5, -0, 2 ** 53, Number.NaN),
  fc.constantFrom<unknown>({}, [], { a: 'b' }, { a: 1 }, { a: 'b', c: 1 }, new Map(), new Date(), null),
  fc.constantFrom<unknown>(Object.assign(Object.create(null), { a: 'b' }), ['a'], [1], [undefined]),
);

interface SchemaCase {
  readonly make: () => s.Schema<unknown>;
  /** The same schema in plain zod, where it is made of our own types. */
  readonly peer?: () => z.ZodMiniType;
  readonly valid: readonly unknown[];
  readonly invalid: readonly (readonly [value: unknown, ...issues: string[]])[];
}

const schemaCases: Readonly<Record<string, SchemaCase>> = {
  'a string': {
    make: () => s.string(),
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
    valid: [true, false],
    invalid: [[0, '(root): true or false, got the number 0']],
  },
  absent: {
    make: () => s.absent('no key'),
    peer: () => z.undefined(),
    valid: [undefined],
    invalid: [[null, '(root): no key, got null']],
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
  'an array that is not empty': {
    make: () => s.array(s.unknown()).check(s.notEmpty()),
    peer: () => z.array(z.unknown()).check(z.minLength(1)),
    valid: [[1], [undefined]],
    invalid: [
      [[], '(root): at least 1 item, got an array of 0'],
      ['', '(root): an array, got an empty string'],
    ],
  },
  'a record': {
    make: () => s.record(s.string()),
    peer: () => z.record(z.string(), z.string()),
    valid: [{}, { a: 'b' }, JSON.parse('{"__proto__":"b"}'), runInNewContext('({ a: "b" })')],
    invalid: [
      [[], '(root): an object, got an array of 0'],
      [new Map(), '(root): an object, got an object'],
      [{ a: 1 }, 'a: a string, got the number 1'],
      // Inherited fields would not be sent; one of this name would.
      [Object.create({ a: 'b' }), '(root): an object, got an object'],
      [JSON.parse('{"__proto__":[]}'), '__proto__: a string, got an array of 0'],
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
      [{ timout: 1 }, "timout: a known name, got an unknown option (did you mean 'timeout'?)"],
    ],
  },
  'an object with one of two fields': {
    make: () => s.partial(s.object({ a: s.unknown(), b: s.unknown() })).check(s.exactlyOne('a', 'b')),
    valid: [{ a: 1 }, { b: null }, { a: 1, b: undefined }],
    invalid: [
      [{}, '(root): either a or b, got neither'],
      [{ a: 1, b: 2 }, '(root): either a or b, got both'],
    ],
  },
  'a partial object that is made on its first use': {
    make: () => s.lazily(() => s.partial(s.object({ a: s.lazily(() => s.string()) }))),
    peer: () => z.partial(z.looseObject({ a: z.string() })),
    valid: [{}, { a: 'b', c: 1 }],
    invalid: [
      [[], '(root): an object, got an array of 0'],
      [{ a: null }, 'a: a string, got null'],
    ],
  },
  'an optional array': {
    make: () => s.optional(s.array(s.string())),
    valid: [undefined, []],
    invalid: [[null, '(root): an array, got null']],
  },
  'a nullable array': {
    make: () => s.nullable(s.array(s.string())),
    valid: [null, []],
    invalid: [[undefined, '(root): an array, got nothing']],
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
    valid: ['a', 1],
    invalid: [[null, '(root): a string or an integer, got null']],
  },
  'one of several literals': {
    make: () => s.literal(['one', 'two']),
    valid: ['one', 'two'],
    invalid: [['three', "(root): 'one' or 'two', got 'three'"]],
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

  it('of our own types accepts the same values as plain zod', () => {
    z.config({ jitless });
    const pairs = Object.values(schemaCases).flatMap(({ make, peer }) =>
      peer === undefined ? [] : [{ own: make(), other: peer() }],
    );
    fc.assert(
      fc.property(anyValue, (value) => {
        // zod's own record skips this field.
        fc.pre(!Object.hasOwn(Object(value), '__proto__'));
        for (const { own, other } of pairs) {
          expect(conforms(own, value)).toBe(other.safeParse(value).success);
          expect(issueLines(own, value).length === 0).toBe(conforms(own, value));
        }
      }),
      { numRuns: bySize({ short: 100, all: 2000 }) },
    );
  });
});

it('a check runs after another one has failed, unless that one aborts', () => {
  const isEven = (text: string) => Number(text) % 2 === 0;
  const code = (abort: boolean) =>
    s.string().check(s.regex(/^\d+$/, { error: 'digits', abort }), s.refine(isEven, 'an even number'));
  expect(issueLines(code(false), 'x')).toEqual([
    "(root): digits, got 'x'",
    "(root): an even number, got 'x'",
  ]);
  expect(issueLines(code(true), 'x')).toEqual(["(root): digits, got 'x'"]);
  expect(issueLines(code(true), '3')).toEqual(['(root): an even number, got a string of 1 character']);
});

it.each([
  [s.object({ a: s.string(), b: s.string() }), ['a', 'b']],
  [s.lazily(() => s.object({ a: s.string() })), ['a']],
  [s.string(), []],
  [s.array(s.object({ a: s.string() })), []],
])('has the names of the fields of an object alone: %#', (schema, names) => {
  expect(s.fieldNames(schema)).toEqual(names);
});
