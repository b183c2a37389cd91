import {
  type $ZodIssue,
  type $ZodRawIssue,
  type $ZodType,
  compile,
  type ParsePayload,
  safeParse,
  validate,
} from 'zod/v4/core';
import { describeValue, formatPath, type Issue } from '../issue.ts';
import { isRecord } from '../json.ts';
import { unknownName } from './advice.ts';

export type Schema<T> = $ZodType<T, T>;

/**
 * A schema that is made on its first use, so that an import makes none. zod's own `lazy` is a schema itself: those of this package would cost an
 * import 2 ms.
 */
export function lazily<T>(make: () => Schema<T>): Schema<T> {
  let made: Schema<T>['_zod'] | undefined;
  const lazy = {
    get _zod() {
      made ??= make()._zod;
      return made;
    },
  };
  // zod reads a schema by this field alone.
  return lazy as Schema<T>;
}

/** A valid value, or its issues. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

export interface IssueOptions {
  /** Whether no value is repeated, whatever its field is called. Default: by the field's name. */
  readonly sensitive?: boolean | undefined;
  /** Whether a field that the schema does not name may stand for one of an `either … or`. Default: false. */
  readonly replaced?: boolean | undefined;
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

/** The values of fields that a rule is about; `undefined` stands for any value but null. */
type FieldValues = Readonly<Record<string, string | undefined>>;

/** Returns a check of an object: that fields are there where other fields have these values. */
export function requireWhen(when: FieldValues, names: readonly string[]) {
  const conditions = Object.entries(when);
  return ({ value, issues }: ParsePayload<object>): void => {
    // The usual case, at the least cost.
    if (names.every((name) => (Reflect.get(value, name) ?? undefined) !== undefined)) return;
    const isMet = conditions.every(([field, expected]) => {
      const found: unknown = Reflect.get(value, field) ?? undefined;
      return expected === undefined ? found !== undefined : found === expected;
    });
    if (!isMet) return;
    const reasons = conditions.map(([field, it]) => `${field} is ${it === undefined ? 'set' : `'${it}'`}`);
    issues.push(...lacking(value, names, reasons.join(' and ')));
  };
}

/** Returns an issue for each field that is not there. */
function lacking(value: object, names: readonly string[], because: string): $ZodRawIssue[] {
  return names.flatMap((name) => {
    const input: unknown = Reflect.get(value, name);
    if (input !== null && input !== undefined) return [];
    return { code: 'custom', path: [name], input, message: `a value, since ${because}` };
  });
}

/** The state of an object: the values of some of its fields, and other fields that are there. */
interface RequiredState {
  readonly values: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
  /** Why, for the words of an issue. */
  readonly because: string;
}

/** Returns a check of an object: that the object in one of its fields is in a state. */
export function requireState(field: string, { values, names, because }: RequiredState) {
  return ({ value, issues }: ParsePayload<object>): void => {
    const inner: object = Object(Reflect.get(value, field));
    const others = Object.entries(values).flatMap(([name, expected]): $ZodRawIssue[] => {
      const input: unknown = Reflect.get(inner, name);
      if (input === expected) return [];
      const message = `${typeof expected === 'string' ? `'${expected}'` : expected}, since ${because}`;
      return [{ code: 'custom', path: [name], input, message }];
    });
    for (const issue of [...others, ...lacking(inner, names, because)])
      issues.push({ ...issue, path: [field, ...(issue.path ?? [])] });
  };
}

/** Returns a check of an object: that exactly one of two fields is there. The issue says whether both are there, or neither. */
export function requireOneOf(one: string, other: string) {
  return ({ value, issues }: ParsePayload<object>): void => {
    const hasOne = Reflect.get(value, one) !== undefined;
    if (hasOne !== (Reflect.get(value, other) !== undefined)) return;
    const message = `either ${one} or ${other}`;
    issues.push({ code: 'custom', input: value, message, params: { received: hasOne ? 'both' : neither } });
  };
}

const neither = 'neither';

function lacksBoth(issue: $ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['received'] === neither;
}

/** A first compilation takes some 10 ms, so it must not slow the first calls of a program. */
const worthCompiling = 200;

interface Usage {
  count: number;
  fastest: $ZodType;
}

const usages = /* @__PURE__ */ new WeakMap<$ZodType, Usage>();

function compiledOnceOften(schema: $ZodType, values: number): $ZodType {
  let usage = usages.get(schema);
  if (usage === undefined) {
    usage = { count: 0, fastest: schema };
    usages.set(schema, usage);
  }
  const before = usage.count;
  usage.count += values;
  if (before < worthCompiling && usage.count >= worthCompiling) usage.fastest = compile(schema);
  return usage.fastest;
}

/** Returns the form of a schema that checks some values fastest. Its verdicts are the same. */
let fastest = (schema: $ZodType, _values: number): $ZodType => schema;

/**
 * Turns on the compilation of schemas that are used often. The entries of Node alone do: in a bundle the compiler would be large, and the edge
 * runs no generated code. Where Node may not run it either, zod's compiler returns the schema as it is.
 */
export function compileSchemas(): void {
  fastest = compiledOnceOften;
}

export function conforms<T>(schema: Schema<T>, value: unknown): value is T {
  return validate(fastest(schema, 1), value);
}

/** Whether each of the values conforms. */
export function allConform<T>(schema: Schema<T>, values: readonly unknown[]): values is readonly T[] {
  const form = fastest(schema, values.length);
  return values.every((value) => validate(form, value));
}

/** Returns the issues of a value; none if it conforms. */
export function issuesOf(
  schema: Schema<unknown>,
  value: unknown,
  options: IssueOptions = {},
): readonly Issue[] {
  const issues = safeParse(schema, value, context).error?.issues ?? [];
  const shown = options.replaced ? issues.filter((issue) => !lacksBoth(issue)) : issues;
  return shown.map((issue) => toIssue(issue, options));
}

/** Returns the value itself where it conforms: a schema never changes a value, so unknown fields are kept. */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  return conforms(schema, value) ? { value } : { issues: issuesOf(schema, value) };
}
