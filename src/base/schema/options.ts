/** Schemas of options and arguments, beside those of `schema.ts`. */

import { refuse } from '../errors.ts';
import { describeValue, type Issue, issueWithin } from '../issue.ts';
import { isRecord } from '../json.ts';
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
import { conforms, type IssueOptions, issuesOf } from './validation.ts';

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

/** Returns the issues of an option or an argument; each path starts with its name. */
export function optionIssues(
  name: string,
  schema: Schema<unknown>,
  value: unknown,
  options?: IssueOptions,
): Issue[] {
  return issuesOf(schema, value, options).map((issue) => issueWithin(name, issue));
}

/** @throws ConfigurationError with everything that is wrong with the options or an argument of a function. */
export function checkOptions<Options>(
  name: string,
  schema: Schema<Options>,
  options: unknown,
  advice = `Correct the options of ${name}.`,
): asserts options is Options {
  if (!conforms(schema, options)) refuse(optionIssues(name, schema, options), advice);
}

/**
 * Returns the options of a constructor as an object. Untyped code may omit them; the check of the options then names each missing one.
 *
 * @param example The right form, such as `new Transact({ baseUrl, securityKey })`.
 * @throws ConfigurationError when they are not an object. It never repeats them, since they may be a key.
 */
export function optionsObject<Options extends object>(
  options: Options | null | undefined,
  example: string,
): Options {
  if (options === undefined || options === null) return Object(options);
  if (isRecord(options)) return options;
  const received = describeValue(options, 'options', true);
  return refuse([{ path: 'options', expected: 'an object', received }], `Write ${example}.`);
}
