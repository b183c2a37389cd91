/** Reaches inside: a program compiles a schema only when it has used it often, and errors show only a part of their issues. */

import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compile } from 'zod/v4/core';
import * as s from '../../../src/base/schema.ts';
import { check, compileSchemas, conforms, issuesOf } from '../../../src/base/validation.ts';
import { resourceSchemas } from '../../../src/resources/schemas.ts';
import { corpusOf } from '../../fuzz/corpus.ts';
import { changed, objectNames, placesOf, validObject } from '../../support/sample-objects.ts';

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

/** Fields that a JSON text cannot have, and some that only look like an object's own. */
const strange: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -0,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  1200n,
  '',
  'a_later_value',
  'rf_1',
  Symbol('x'),
  () => 'x',
  Object('text'),
  [],
  [undefined],
  // oxlint-disable-next-line no-sparse-arrays -- an array with a hole
  ['a', , 'b'],
  Object.assign(['a'], { more: 1 }),
  { length: 1, 0: 'a' },
  {},
  { order: 1 },
  { [Symbol('x')]: 1 },
  Object.create(null),
  Object.assign(Object.create(null), { order: '1042' }),
  Object.create({ order: '1042' }),
  Object.create({ order: 1 }),
  Object.defineProperty({}, 'order', { value: 1, enumerable: false }),
  {
    get order() {
      return '1042';
    },
  },
  {
    get order() {
      throw new TypeError('no');
    },
  },
  JSON.parse('{"__proto__":{"order":1}}'),
  JSON.parse('{"__proto__":"x","constructor":"x","hasOwnProperty":"x"}'),
  new Map([['order', '1042']]),
  new Set(['a']),
  new Date(0),
  new Told(),
  new Proxy({ order: '1042' }, {}),
  runInNewContext('({ order: "1042" })'),
  runInNewContext('["a"]'),
  runInNewContext('new Map()'),
];

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
  it.each(schemas)('and exists for every resource: %s', (_name, schema) => {
    expect(() => compile(schema, { strict: true })).not.toThrow();
  });

  it.each(['resources', 'events', 'pages'])('for the corpus of %s', (parser) => {
    for (const { bytes } of corpusOf(parser)) {
      const body = jsonOf(bytes);
      const parts = typeof body === 'object' && body !== null ? Object.values(body).flat() : [];
      for (const value of [body, ...parts]) for (const [, schema] of schemas) expectSameResult(schema, value);
    }
  });

  it.each(objectNames)('for a strange value in each field: %s', (name) => {
    for (const { path } of placesOf(name))
      for (const value of strange) expectSameResult(resourceSchemas[name], changed(name, path, value));
  });

  it.each(schemas)('for a strange value instead of an object: %s', (_name, schema) => {
    for (const value of strange) expectSameResult(schema, value);
  });

  it.each(Object.entries(forms))('for an object whose fields are %s', (_form, make) => {
    for (const name of objectNames) expectSameResult(resourceSchemas[name], make(validObject(name)));
    for (const [, schema] of schemas) expectSameResult(schema, make({ id: 'price_1', object: 'price' }));
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
