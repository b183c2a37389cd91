/** Schemas of options and arguments, beside those of `schema.ts`. */

import { isRecord } from './json.ts';
import {
  custom,
  lazily,
  maximum,
  minimum,
  multipleOf,
  number,
  optional,
  regex,
  type Schema,
  strictObject,
  string,
  unknown,
} from './schema.ts';

/** A schema for each field of a type. The compiler asks for all of them. */
export type FieldsOf<Options> = { readonly [Name in keyof Options]-?: Schema<Options[Name]> };

/** Options with these fields and no others: a misspelt one would be silently ignored. The schema is made on its first use. */
export function optionsOf<Options>(fields: () => FieldsOf<Options>, expected?: string): Schema<Options> {
  // The fields are those of the type, one for one, which the compiler cannot follow for every type.
  return lazily(() => strictObject(fields(), expected) as unknown as Schema<Options>);
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

export function timeFrom(min: number, max?: number): Schema<number> {
  return integerFrom(min, max, 'ms');
}

export function functionOf<Call extends (...values: never[]) => unknown>(): Schema<Call> {
  return custom<Call>((value) => typeof value === 'function', 'a function');
}

export function having<Holder>(
  expected: string,
  ...methods: readonly (keyof Holder & string)[]
): Schema<Holder> {
  const has = (value: unknown) =>
    isRecord(value) && methods.every((method) => typeof value[method] === 'function');
  return custom<Holder>(has, expected);
}

/** Accepts anything, since another function checks the value. */
export function unchecked<Value>(): Schema<Value> {
  return optional(unknown()) as Schema<Value>;
}

/** A string that is more than blanks, such as an id of your own. */
export function nonBlank(expected = 'a non-blank string') {
  return string(expected).check(regex(/\S/, expected));
}

export function headerName() {
  const expected = 'the name of a header';
  return string(expected).check(regex(/^[\w!#$%&'*+.^`|~-]+$/, expected));
}
