/** What schemas are made from. Imported as a whole: `import * as s from '…/shapes.ts'`. */

import { isRecord } from './json.ts';
import type { Definition, Rule, Schema, TypeOf } from './schema.ts';

type Accepts = (value: unknown) => boolean;

interface Parts {
  readonly definition: Definition;
  readonly expected: string;
  readonly isOfType: Accepts;
}

function make<T>({ definition, expected, isOfType }: Parts): Schema<T> {
  return { definition, expected, rules: [], isOfType, accepts: isOfType };
}

/** The schema with rules beside it; those it has come first. */
export function withRules<T>(schema: Schema<T>, ...added: readonly Rule<T>[]): Schema<T> {
  const rules = [...schema.rules, ...added];
  const accepts = (value: unknown) => {
    if (!schema.accepts(value)) return false;
    // What is of the type may be asked its rules.
    for (const { holds } of added) if (!holds(value as T)) return false;
    return true;
  };
  return { ...schema, rules, accepts };
}

const isString: Accepts = (value) => typeof value === 'string';
const isBoolean: Accepts = (value) => typeof value === 'boolean';

/** A text. */
export function string(expected = 'a string'): Schema<string> {
  return make({ definition: { type: 'string' }, expected, isOfType: isString });
}

/** An integer that is exact in JavaScript. */
export function integer(expected = 'an integer'): Schema<number> {
  return make({ definition: { type: 'integer' }, expected, isOfType: Number.isSafeInteger });
}

/** True or false. */
export function boolean(): Schema<boolean> {
  return make({ definition: { type: 'boolean' }, expected: 'true or false', isOfType: isBoolean });
}

/** Anything. */
export function unknown(): Schema<unknown> {
  return make({ definition: { type: 'unknown' }, expected: 'anything', isOfType: () => true });
}

/** Nothing at all: a field that must be left out. */
export function absent(expected: string): Schema<undefined> {
  const isOfType: Accepts = (value) => value === undefined;
  return make({ definition: { type: 'undefined' }, expected, isOfType });
}

/** One text and no other. */
export function literal<Text extends string>(text: Text): Schema<Text> {
  const definition = { type: 'literal', value: text } as const;
  return make({ definition, expected: `'${text}'`, isOfType: (value) => value === text });
}

/** A text that starts so. */
export function prefixed<Prefix extends string>(
  prefix: Prefix,
  expected: string,
): Schema<`${Prefix}${string}`> {
  const isOfType: Accepts = (value) => typeof value === 'string' && value.startsWith(prefix);
  return make({ definition: { type: 'prefixed', prefix }, expected, isOfType });
}

/** May be left out. */
export function optional<T>(inner: Schema<T>): Schema<T | undefined> {
  const { accepts, expected } = inner;
  const isOfType: Accepts = (value) => value === undefined || accepts(value);
  return make({ definition: { type: 'optional', inner }, expected, isOfType });
}

/** May be null. */
export function nullable<T>(inner: Schema<T>): Schema<T | null> {
  const { accepts, expected } = inner;
  const isOfType: Accepts = (value) => value === null || accepts(value);
  return make({ definition: { type: 'nullable', inner }, expected, isOfType });
}

/** Any number of one kind. */
export function array<T>(element: Schema<T>): Schema<T[]> {
  const isOfType: Accepts = (value) => Array.isArray(value) && value.every((item) => element.accepts(item));
  return make({ definition: { type: 'array', element }, expected: 'an array', isOfType });
}

/** Made by braces or by JSON; a `Map` or a `Date` has no fields to speak of, and would be sent as nothing. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // One of another realm, such as a test runner's, is not the same object but has the same methods.
  return prototype === null || Object.hasOwn(Object(prototype), 'isPrototypeOf');
}

/** Any fields, all of one kind. */
export function record<T>(values: Schema<T>): Schema<Record<string, T>> {
  const isOfType: Accepts = (value) => {
    if (!isPlain(value)) return false;
    for (const name in value) if (!values.accepts(value[name])) return false;
    return true;
  };
  return make({ definition: { type: 'record', values }, expected: 'an object', isOfType });
}

type Fields = Readonly<Record<string, Schema<unknown>>>;

type OptionalName<F extends Fields> = {
  [Name in keyof F]: undefined extends TypeOf<F[Name]> ? Name : never;
}[keyof F];

type ObjectOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, OptionalName<F>>]: TypeOf<F[Name]>;
} & { readonly [Name in OptionalName<F>]?: TypeOf<F[Name]> };

function acceptsFields(fields: Fields): Accepts {
  const named = Object.entries(fields).map(([name, { accepts }]) => ({ name, accepts }));
  return (value) => {
    if (!isRecord(value)) return false;
    for (const { name, accepts } of named) if (!accepts(value[name])) return false;
    return true;
  };
}

/** These fields; all others pass. */
export function object<F extends Fields>(fields: F): Schema<ObjectOf<F>> {
  const definition = { type: 'object', fields, others: unknown() } as const;
  return make({ definition, expected: 'an object', isOfType: acceptsFields(fields) });
}

/** These fields, and others that are all of one kind. */
export function objectWith<F extends Fields>(fields: F, others: Schema<unknown>): Schema<ObjectOf<F>> {
  const acceptsNamed = acceptsFields(fields);
  const isOfType: Accepts = (value) => {
    if (!isRecord(value) || !acceptsNamed(value)) return false;
    for (const name in value) {
      if (!Object.hasOwn(fields, name) && !others.accepts(value[name])) return false;
    }
    return true;
  };
  return make({ definition: { type: 'object', fields, others }, expected: 'an object', isOfType });
}

/** The same fields, each of which may be left out. */
export function partial<F extends Fields>(fields: F): Schema<Partial<ObjectOf<F>>> {
  const optionals = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, optional(field)]),
  );
  return object(optionals) as Schema<Partial<ObjectOf<F>>>;
}

/** A text of at least one character. */
export function filled(expected: string): Rule<string> {
  return { expected, holds: (text) => text !== '', keyword: { minLength: 1 } };
}

/** A text of at most this many characters. */
export function maximumLength(max: number): Rule<string> {
  return {
    expected: `at most ${max} characters`,
    holds: ({ length }) => length <= max,
    keyword: { maxLength: max },
  };
}

/** At least one item. */
export const notEmpty: Rule<readonly unknown[]> = {
  expected: 'at least 1 item',
  holds: ({ length }) => length > 0,
  keyword: { minItems: 1 },
};

/** A text that fits a pattern. The pattern must not be global: such a one remembers where it was. */
export function pattern(expression: RegExp, expected: string): Rule<string> {
  return { expected, holds: (text) => expression.test(text), keyword: { pattern: expression.source } };
}

/** A number from here on. */
export function minimum(min: number, expected: string): Rule<number> {
  return { expected, holds: (number) => number >= min, keyword: { minimum: min } };
}
