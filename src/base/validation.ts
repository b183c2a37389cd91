import {
  type $ZodIssue,
  $ZodObject,
  type $ZodRawIssue,
  type $ZodType,
  type ParsePayload,
  safeParse,
  validate,
} from 'zod/v4/core';
import { describeValue, formatPath } from './describe.ts';
import type { Issue } from './issue.ts';
import { isRecord } from './json.ts';
import { isPlainName, misspeltNames, unknownName } from './unknown-names.ts';

/** A schema of values of one type. */
export type Schema<T> = $ZodType<T, T>;

/** A valid value, or its issues. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** How issues describe values. */
export interface IssueOptions {
  /** Whether no value is repeated, whatever its field is called. Default: by the field's name. */
  readonly sensitive?: boolean | undefined;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Describes the expected value, for schemas and checks without a text. */
function expectedWords(issue: $ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? 'a value';
    case 'invalid_value':
      return issue.values.map((value) => `'${String(value)}'`).join(' or ');
    case 'invalid_union':
      return issue.errors.flatMap(([first]) => first?.message ?? []).join(' or ');
    default:
      return 'another value';
  }
}

/** Describes every issue, so zod never uses its global configuration, which belongs to the user's program. */
const context = { error: expectedWords, reportInput: true };

function toIssue(issue: $ZodIssue, { sensitive }: IssueOptions): Issue {
  const path = formatPath(issue.path);
  const known: unknown = issue.code === 'custom' ? issue.params?.['known'] : undefined;
  if (Array.isArray(known)) return { path, ...unknownName(String(issue.path.at(-1)), known) };
  const said: unknown = issue.code === 'custom' ? issue.params?.['received'] : undefined;
  const received = typeof said === 'string' ? said : describeValue(inputOf(issue), path, sensitive);
  return { path, expected: issue.message, received };
}

/** Returns the value at the path of an issue. For a field that chooses between objects, zod reports the whole object. */
function inputOf(issue: $ZodIssue): unknown {
  const { input } = issue;
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined || !isRecord(input)) return input;
  return input[issue.discriminator];
}

/** Whether a check of a string's length can run: zod runs its own on anything with a length. */
export function holdsString({ value }: ParsePayload): boolean {
  return typeof value === 'string';
}

/** Whether a check of an array's length can run. */
export function holdsArray({ value }: ParsePayload): boolean {
  return Array.isArray(value);
}

/** Returns a check of an object: that fields are there where another field has one value. */
export function requireWhen(field: string, when: string, names: readonly string[]) {
  return ({ value, issues }: ParsePayload<object>): void => {
    if (Reflect.get(value, field) !== when) return;
    for (const name of names) {
      const input: unknown = Reflect.get(value, name);
      if (input !== null && input !== undefined) continue;
      issues.push({ code: 'custom', path: [name], input, message: `a value, since ${field} is '${when}'` });
    }
  };
}

/** Returns a check of an object: that exactly one of two fields is there. The issue says whether both are there, or neither. */
export function requireOneOf(one: string, other: string) {
  return ({ value, issues }: ParsePayload<object>): void => {
    const hasOne = Reflect.get(value, one) !== undefined;
    if (hasOne !== (Reflect.get(value, other) !== undefined)) return;
    const message = `either ${one} or ${other}`;
    issues.push({ code: 'custom', input: value, message, params: { received: hasOne ? 'both' : 'neither' } });
  };
}

/** Returns the names of an object schema's fields; none for any other schema. */
export function fieldNames(schema: Schema<unknown>): readonly string[] {
  return schema instanceof $ZodObject ? Object.keys(schema._zod.def.shape) : [];
}

/** Whether an object has a field that its schema does not name. */
function hasUnknownField(schema: Schema<unknown>, value: object): boolean {
  if (!(schema instanceof $ZodObject)) return false;
  const { shape } = schema._zod.def;
  return Object.keys(value).some((name) => !Object.hasOwn(shape, name));
}

/** Returns an issue for each field that is probably a misspelt one of the schema. */
export function misspeltFields(schema: Schema<unknown>, value: object): readonly Issue[] {
  return hasUnknownField(schema, value) ? misspeltNames(value, fieldNames(schema)) : [];
}

/** Whether a value conforms. */
export function conforms<T>(schema: Schema<T>, value: unknown): value is T {
  return validate(schema, value);
}

/** Returns a copy of the value with only the fields that its schema names, or the issues. */
export function strip<T>(schema: Schema<T>, value: unknown, options: IssueOptions = {}): Checked<T> {
  const { data, error } = safeParse(schema, value, context);
  if (error === undefined) return { value: data };
  return { issues: error.issues.map((issue) => toIssue(issue, options)) };
}

/** Returns the issues of a value; none if it conforms. */
export function issuesOf(schema: Schema<unknown>, value: unknown, options?: IssueOptions): readonly Issue[] {
  const stripped = strip(schema, value, options);
  return 'issues' in stripped ? stripped.issues : [];
}

/** An issue and its kind. */
export interface Flaw extends Issue {
  /** `bound`: the value is a number, and out of its bounds. `name`: there is no such option. `type`: anything else. */
  readonly kind: 'bound' | 'name' | 'type';
}

function kindOf(issue: $ZodIssue): Flaw['kind'] {
  if (issue.code === 'custom') return issue.params?.['known'] === undefined ? 'type' : 'name';
  return ['too_small', 'too_big', 'not_multiple_of'].includes(issue.code) ? 'bound' : 'type';
}

/** Returns the first thing that is wrong with a value, for errors of the language; `undefined` where it conforms. */
export function firstFlaw(
  schema: Schema<unknown>,
  value: unknown,
  options: IssueOptions = {},
): Flaw | undefined {
  const [issue] = safeParse(schema, value, context).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const flaw = { ...toIssue(issue, options), kind: kindOf(issue) };
  // Errors of the language do not clean their messages, and a name may be a secret in the wrong place.
  const isShown = flaw.kind !== 'name' || isPlainName(String(issue.path.at(-1)));
  return isShown ? flaw : { ...flaw, path: formatPath(issue.path.slice(0, -1)) };
}

/** Returns the value itself where it conforms: a schema never changes a value, so unknown fields are kept. */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  return conforms(schema, value) ? { value } : { issues: issuesOf(schema, value) };
}
