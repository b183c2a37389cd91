/**
 * The schemas of the sandbox: names of zod, and our own where zod has no fitting one. Import it as `import * as s from '…/schema.ts'`. The
 * text that a schema or a check takes says what was expected; `issuesOf` of the SDK writes the issues of each.
 */

import type { Issue } from 'payments-client';
import {
  catchall,
  custom,
  lazy,
  maximum,
  minimum,
  multipleOf,
  number,
  object,
  optional,
  record,
  string,
  undefined as undefinedType,
  unknown,
  type ZodMiniObject,
} from 'zod/mini';
import { type $ZodType, safeParse, validate } from 'zod/v4/core';
import { issuesOf } from '../sdk.ts';
import { isRecord } from './json.ts';

export {
  array,
  boolean,
  custom,
  literal,
  number,
  object,
  optional,
  refine,
  regex,
  string,
  union,
} from 'zod/mini';
export type { output as TypeOf } from 'zod/v4/core';
export { fieldNames } from '../sdk.ts';

export type Schema<T> = $ZodType<T, T>;

/** A schema for each field of a type. The compiler asks for all of them. */
export type FieldsOf<Options> = { readonly [Name in keyof Options]-?: Schema<Options[Name]> };

/** An object with these fields and no others: a misspelt one would be silently ignored. */
export function strictObject<Shape extends Readonly<Record<string, $ZodType>>>(
  shape: Shape,
): ZodMiniObject<Shape> {
  // A catchall that always fails gives each unknown name its own issue, with the names to choose from.
  const unknownField = custom<never>(() => false, { params: { known: Object.keys(shape) } });
  const strict: unknown = catchall(object(shape), unknownField);
  // No other field passes, so the type has none.
  return strict as ZodMiniObject<Shape>;
}

/** Options with these fields and no others. The schema is made on its first use. */
export function optionsOf<Options>(fields: () => FieldsOf<Options>): Schema<Options> {
  // The fields are those of the type, one for one, which the compiler cannot follow for every type.
  return lazy(() => strictObject(fields()) as unknown as Schema<Options>);
}

export function filled(expected = 'a non-empty string') {
  return custom<string>((value) => typeof value === 'string' && value !== '', expected);
}

export function prefixed<Prefix extends string>(prefix: Prefix, expected: string) {
  return custom<`${Prefix}${string}`>(
    (value) => typeof value === 'string' && value.startsWith(prefix),
    expected,
  );
}

/** Whether an object literal or JSON made a value, in this realm or in another, such as that of a test runner. */
function isPlain(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.hasOwn(Object(prototype), 'isPrototypeOf');
}

/** An object with any fields. A `Map` or a `Date` is wrong, since JSON would write it as `{}` or as a text. */
export function anyFields() {
  return custom<Readonly<Record<string, unknown>>>(isPlain, 'an object');
}

/** An object with any fields, all of them texts. */
export function texts() {
  return record(string(), string());
}

/** `undefined`: a field that must be left out. */
export function absent(expected: string) {
  return optional(undefinedType(expected));
}

/** Accepts anything, since another function checks the value. */
export function unchecked<Value>(): Schema<Value> {
  return optional(unknown()) as Schema<Value>;
}

export function having<Holder>(
  expected: string,
  ...methods: readonly (keyof Holder & string)[]
): Schema<Holder> {
  const has = (value: unknown) =>
    isRecord(value) && methods.every((method) => typeof value[method] === 'function');
  return custom<Holder>(has, expected);
}

export function numberFrom(min: number, max: number): Schema<number> {
  return bounded(min, max, `a number from ${min} to ${max}`);
}

function bounded(min: number, max: number, expected: string) {
  const error = { error: expected, abort: true };
  return number(expected).check(minimum(min, error), maximum(max, error));
}

/** An integer within bounds that a number holds exactly. */
export function integerFrom(min: number, max = Number.MAX_SAFE_INTEGER, unit?: string): Schema<number> {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  const expected = `an integer ${bounds}${unit === undefined ? '' : `, in ${unit}`}`;
  return bounded(min, max, expected).check(multipleOf(1, expected));
}

export function conforms<T>(schema: Schema<T>, value: unknown): value is T {
  return validate(schema, value);
}

/** Returns a copy of the value with only the fields that its schema names, or the issues. */
export function strip<T>(
  schema: Schema<T>,
  value: unknown,
): { readonly value: T } | { readonly issues: readonly Issue[] } {
  const { success, data } = safeParse(schema, value);
  return success ? { value: data } : { issues: issuesOf(schema, value) };
}

/** Returns the path of each value in whose place the schema takes a string. */
export function stringPaths(schema: Schema<unknown>, value: unknown): readonly (readonly PropertyKey[])[] {
  const issues = safeParse(schema, value).error?.issues ?? [];
  return issues.flatMap((issue) =>
    issue.code === 'invalid_type' && issue.expected === 'string' ? [issue.path] : [],
  );
}
