/** Reaches inside: a program compiles a schema only when it has used it often, and errors show only a part of their issues. */

import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compile } from 'zod/v4/core';
import * as s from '../../../../src/base/schema/schema.ts';
import { check, compileSchemas, conforms, issuesOf } from '../../../../src/base/schema/validation.ts';
import { resourceSchemas } from '../../../../src/resources/schemas.ts';
import { entriesOf } from '../../../bytes/parser.ts';
import { events } from '../../../bytes/parsers/events.ts';
import { pages } from '../../../bytes/parsers/pages.ts';
import { resources } from '../../../bytes/parsers/resources.ts';
import { changed, objectNames, placesOf, validObject } from '../../../support/sample-objects.ts';
import { bySize, everyNth } from '../../../support/size.ts';

compileSchemas();

/** Uses a schema often enough for a program to compile it. */
function useOften(schema: s.Schema<unknown>): void {
  for (let times = 0; times < 1000; times += 1) conforms(schema, null);
}

const schemas: readonly (readonly [string, s.Schema<unknown>])[] = Object.entries(resourceSchemas);
for (const [, schema] of schemas) useOften(schema);

function resultOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return { thrown: String(error) };
  }
}

/** Expects the result of the interpreted schema, which alone makes issues. */
function expectSameResult(schema: s.Schema<unknown>, value: unknown): void {
  const expected = resultOf(() => {
    const issues = issuesOf(schema, value);
    return issues.length === 0 ? { value } : { issues };
  });
  expect(resultOf(() => check(schema, value))).toEqual(expected);
}

class Told {
  readonly order = '1042';
}

/** Values that a JSON text cannot have, and some that only look like an object's own. */
const strange: readonly unknown[] = [
  1200n,
  () => 'x',
  Object('text'),
  // oxlint-disable-next-line no-sparse-arrays -- an array with a hole
  ['a', , 'b'],
  Object.assign(['a'], { more: 1 }),
  { [Symbol('x')]: 1 },
  Object.create({ order: 1 }),
  Object.defineProperty({}, 'order', { value: 1, enumerable: false }),
  Object.defineProperty({}, 'order', { get: () => expect.fail('no'), enumerable: true }),
  JSON.parse('{"__proto__":{"order":1},"constructor":"x","hasOwnProperty":"x"}'),
  new Map([['order', '1042']]),
  new Told(),
  new Proxy({ order: '1042' }, {}),
  runInNewContext('({ order: "1042" })'),
  runInNewContext('["a"]'),
  runInNewContext('new Map()'),
];

/** Any other value, close to those of fields. */
const anyValue = fc.oneof(
  fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withNullPrototype: true,
    withSparseArray: true,
  }),
  fc.constantFrom<unknown>('rf_1', 'a_later_value', 'paid', 0, -0, 1.5, 2 ** 53, null, undefined, {
    order: '1',
  }),
);

/** Objects with the same fields as another, in forms that no JSON text has. */
const forms: Readonly<Record<string, (object: object) => unknown>> = {
  inherited: (object) => Object.create(object),
  'inherited in part': (object) => Object.assign(Object.create(object), { livemode: 1 }),
  'without a prototype': (object) => Object.assign(Object.create(null), object),
  'of a class': (object) => Object.assign(new Told(), object),
  'hidden from loops': (object) =>
    Object.create({}, Object.fromEntries(Object.entries(object).map(([name, value]) => [name, { value }]))),
  'behind getters': (object) =>
    Object.create(
      Object.prototype,
      Object.fromEntries(
        Object.entries(object).map(([name, value]) => [name, { get: () => value, enumerable: true }]),
      ),
    ),
  'behind a proxy': (object) => new Proxy(object, {}),
  frozen: (object) => Object.freeze({ ...object }),
  'as an array': (object) => Object.assign([], object),
  'as a function': (object) => Object.assign(() => {}, object),
  'of another realm': (object) => runInNewContext(`(${JSON.stringify(object)})`),
  'with a prototype in JSON': (object) =>
    JSON.parse(JSON.stringify(object).replace('{', '{"__proto__":{"id":5},')),
  'with a prototype that has fields': (object) => ({ ...object, ['__proto__']: { id: 5 } }),
};

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return bytes.toString();
  }
}

describe('a compiled schema gives the results of the interpreted one', () => {
  it('and exists for every resource', () => {
    for (const [name, schema] of schemas) expect(() => compile(schema, { strict: true }), name).not.toThrow();
  });

  it.each([resources, events, pages])('for the corpus of $name', ({ corpus }) => {
    for (const { bytes } of everyNth(entriesOf(corpus), 14)) {
      const body = jsonOf(bytes);
      const parts = typeof body === 'object' && body !== null ? Object.values(body).flat() : [];
      for (const value of [body, ...parts]) for (const [, schema] of schemas) expectSameResult(schema, value);
    }
  });

  it.each(objectNames)('for a strange value in a field, and instead of the object: %s', (name) => {
    for (const value of strange) expectSameResult(resourceSchemas[name], value);
    for (const [index, { path }] of placesOf(name).entries()) {
      const expectSame = (value: unknown) =>
        expectSameResult(resourceSchemas[name], changed(name, path, value));
      for (const value of everyNth(strange, 8, index)) expectSame(value);
      fc.assert(fc.property(anyValue, expectSame), { numRuns: bySize({ short: 3, all: 200 }) });
    }
  });

  it.each(Object.entries(forms))('for an object whose fields are %s', (_form, make) => {
    for (const name of objectNames) expectSameResult(resourceSchemas[name], make(validObject(name)));
    for (const [, schema] of everyNth(schemas, 4))
      expectSameResult(schema, make({ id: 'price_1', object: 'price' }));
  });
});

describe('a schema that is used often', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Replaces the constructor of functions, and returns it. */
  function watchGeneratedCode(construct: (source: string[]) => object) {
    const generated = vi.fn((_target: object, source: string[]) => construct(source));
    vi.stubGlobal('Function', new Proxy(Function, { construct: generated }));
    return generated;
  }

  it('is compiled once, after its first uses', () => {
    const schema = s.array(s.string());
    const generated = watchGeneratedCode((source) => Reflect.construct(Function, source));
    for (let times = 0; times < 20; times += 1) conforms(schema, ['a']);
    expect(generated).not.toHaveBeenCalled();
    useOften(schema);
    const count = generated.mock.calls.length;
    expect(count).toBeGreaterThan(0);
    useOften(schema);
    expect(generated).toHaveBeenCalledTimes(count);
  });

  it('stays interpreted where no code may be generated', () => {
    // An object asks zod, which remembers that this program may generate code.
    const schema = s.array(s.record(s.string()));
    const generated = watchGeneratedCode(() => {
      throw new EvalError('forbidden');
    });
    useOften(schema);
    expect(generated).toHaveBeenCalled();
    for (const value of strange) expectSameResult(schema, value);
  });
});
