import {
  type $ZodIssue,
  $ZodObject,
  type $ZodRawIssue,
  type $ZodType,
  type $ZodTypes,
  compile,
  type ParsePayload,
  safeParse,
  validate,
} from 'zod/v4/core';
import { callInPlaceOf, isPlainName, type Misnamed, meantByField, unknownName } from '../advice.ts';
import { describeValue, formatPath, type Issue } from '../issue.ts';
import { isRecord } from '../json.ts';

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

/** Returns the names of an object schema's fields; none for any other schema. */
export function fieldNames(schema: Schema<unknown>): readonly string[] {
  return schema instanceof $ZodObject ? Object.keys(schema._zod.def.shape) : [];
}

/** Returns the schemas of an object's fields, also of an array's items and of what may be absent; none for any other schema. */
function shapeOf(schema: $ZodType): Readonly<Record<string, $ZodType>> {
  // The cast is that of zod's manual. `instanceof` would take longer than the rest of the check.
  const { def } = (schema as $ZodTypes)._zod;
  if (def.type === 'optional') return shapeOf(def.innerType);
  if (def.type === 'array') return shapeOf(def.element);
  return def.type === 'object' ? def.shape : {};
}

/** Returns the schema of an array's items, also of one that may be absent. */
function elementOf(schema: $ZodType): $ZodType | undefined {
  const { def } = (schema as $ZodTypes)._zod;
  if (def.type === 'optional') return elementOf(def.innerType);
  return def.type === 'array' ? def.element : undefined;
}

function namesWithin(schema: $ZodType): readonly string[] {
  return Object.entries(shapeOf(schema)).flatMap(([name, field]) => [name, ...namesWithin(field)]);
}

/** Returns whether a schema has a field of a name, at any depth; `undefined` if it names none. */
export function nameReader(schema: Schema<unknown>): ((name: string) => boolean) | undefined {
  return fieldNames(schema).length === 0 ? undefined : (name) => namesWithin(schema).includes(name);
}

interface NameCheck {
  /** Whether it is enough that one name holds the other. */
  readonly loosely: boolean;
  readonly extra: readonly string[];
}

/**
 * Returns an issue for each field, at any depth, whose name probably stands for an absent one of the schema, such as `amuont` or
 * `captureMethod`. Other unknown names pass, since the service may have parameters that the interface does not show.
 */
export function misnamedFields(
  schema: $ZodType,
  value: unknown,
  check: NameCheck,
  path: readonly (string | number)[] = [],
): readonly Misnamed[] {
  if (Array.isArray(value)) {
    // Only as deep as the schema: a body may hold arrays within arrays without end.
    const element = elementOf(schema);
    if (element === undefined) return [];
    return value.flatMap((item, index) => misnamedFields(element, item, check, [...path, index]));
  }
  const shape = shapeOf(schema);
  const names = Object.keys(shape);
  if (!isRecord(value) || names.length === 0) return [];
  const issues: Misnamed[] = [];
  for (const name of Object.keys(value)) {
    const part = value[name];
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) {
      if (typeof part === 'object') issues.push(...misnamedFields(field, part, check, [...path, name]));
    } else if (part !== undefined && !check.extra.includes(name)) {
      const absent = names.filter((one) => value[one] === undefined);
      // Without an amount, a refund or a capture takes all: no other number may stand in its place.
      const isAmount = check.loosely && typeof part === 'number' && absent.includes('amount');
      const meant = meantByField(name, absent, check.loosely) ?? (isAmount && 'amount');
      const advice = callInPlaceOf(name) ?? (meant && `did you mean '${meant}'?`);
      if (advice) issues.push(misnamed(path, names, name, advice));
    }
  }
  return issues;
}

function misnamed(
  path: readonly (string | number)[],
  known: readonly string[],
  name: string,
  advice: string,
): Misnamed {
  return {
    name,
    path: formatPath(isPlainName(name) ? [...path, name] : path),
    expected: path.length > 0 ? `one of ${known.join(', ')}` : 'a parameter of this method',
    received: `an unknown one (${advice})`,
  };
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
