/**
 * The schemas of the package: names of zod, and our own types where zod has no fitting one. Import it as `import * as s from
 * '…/schema.ts'`. The text that a schema or a check takes says what was expected.
 */

import {
  check,
  custom,
  int,
  optional,
  startsWith,
  string,
  undefined as undefinedType,
  ZodMiniArray,
  ZodMiniObject,
  ZodMiniRecord,
  type ZodMiniString,
  type ZodMiniType,
} from 'zod/mini';
import {
  $constructor,
  $ZodAsyncError,
  type $ZodCheck,
  $ZodCheckMaxLength,
  $ZodCheckMinLength,
  type $ZodType,
  type ParseContextInternal,
  type ParsePayload,
  type SomeType,
} from 'zod/v4/core';
import type { Issue } from '../issue.ts';
import { isRecord } from '../json.ts';
import { conforms, requireOneOf, type Schema } from './validation.ts';

export {
  boolean,
  catchall,
  custom,
  discriminatedUnion,
  exactOptional,
  literal,
  maximum,
  minimum,
  multipleOf,
  nullable,
  number,
  optional,
  partial,
  refine,
  regex,
  string,
  union,
  unknown,
} from 'zod/mini';
export { fieldNames } from './field-names.ts';
export { lazily, type Schema } from './validation.ts';

type Fields = Readonly<Record<string, $ZodType>>;

/** A schema of objects, which takes checks of its fields together. */
export type ObjectSchema<T> = Schema<T> & Pick<ZodMiniType<T, T>, 'check'>;

/** The number of issues after which an array or a record stops: a body may hold millions of wrong items. */
const maxIssues = 20;

/** Checks the parts of a value until there are some issues; zod's own arrays and records go on to the end. Returns the parts. */
function parseParts(
  { value, issues }: ParsePayload<object>,
  keys: Iterable<PropertyKey>,
  schema: SomeType,
  context: ParseContextInternal,
): unknown[] {
  const parts: unknown[] = [];
  for (const key of keys) {
    if (issues.length >= (context.abortEarly === true ? 1 : maxIssues)) break;
    const part = schema._zod.run({ value: Reflect.get(value, key), issues: [] }, context);
    if (part instanceof Promise) throw new $ZodAsyncError();
    for (const issue of part.issues) issues.push({ ...issue, path: [key, ...(issue.path ?? [])] });
    parts.push(part.value);
  }
  return parts;
}

type Parser = $ZodType['_zod']['parse'];

function arrayParser(inst: $ZodType, element: SomeType): Parser {
  return (payload, context) => {
    const { value: input, issues } = payload;
    if (!Array.isArray(input)) issues.push({ code: 'invalid_type', expected: 'array', input, inst });
    else payload.value = parseParts({ value: input, issues }, input.keys(), element, context);
    return payload;
  };
}

/** Whether an object literal or JSON made a value, in this realm or in another, such as that of a test runner. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.hasOwn(Object(prototype), 'isPrototypeOf');
}

/** Returns the parser of a record. It refuses a `Map` or a `Date`, which would be sent as `{}`. */
function recordParser(inst: $ZodType, valueType: SomeType): Parser {
  return (payload, context) => {
    const { value: input, issues } = payload;
    if (!isPlain(input)) issues.push({ code: 'invalid_type', expected: 'record', input, inst });
    else parseParts({ value: input, issues }, Object.keys(input), valueType, context);
    return payload;
  };
}

/** Returns the verdict of such a parser alone. */
function isRecordOf(valueType: $ZodType): (value: unknown) => boolean {
  return (value) => isPlain(value) && Object.values(value).every((item) => conforms(valueType, item));
}

/** Whether a check of a string's length can run: zod runs its own on anything with a length. */
function holdsString({ value }: ParsePayload): boolean {
  return typeof value === 'string';
}

function holdsArray({ value }: ParsePayload): boolean {
  return Array.isArray(value);
}

// These two set the parser, as zod's own classes do: a check that is added to a schema runs after the parser, and zod's go through all items.

const BoundedArray = /* @__PURE__ */ $constructor<ZodMiniArray>('BoundedArray', (inst, def) => {
  ZodMiniArray.init(inst, def);
  inst._zod.parse = arrayParser(inst, def.element);
});

const BoundedRecord = /* @__PURE__ */ $constructor<ZodMiniRecord>('BoundedRecord', (inst, def) => {
  ZodMiniRecord.init(inst, def);
  inst._zod.parse = recordParser(inst, def.valueType);
});

// The casts below are those of zod's own factories: the constructors are not generic.

export function array<Item extends $ZodType>(element: Item): ZodMiniArray<Item> {
  return new BoundedArray({ type: 'array', element }) as ZodMiniArray<Item>;
}

/**
 * An object with any field names, whose values share a schema. zod's compiler takes it for a custom type, since a compiled record would accept
 * inherited fields.
 */
export function record<Value extends $ZodType>(
  valueType: Value,
): ZodMiniRecord<ZodMiniString<string>, Value> {
  const def = { type: 'custom', fn: isRecordOf(valueType), keyType: string(), valueType } as const;
  return new BoundedRecord(def as unknown as ZodMiniRecord['_zod']['def']) as ZodMiniRecord<
    ZodMiniString<string>,
    Value
  >;
}

export function prefixed<Prefix extends string>(
  prefix: Prefix,
  expected: string,
): Schema<`${Prefix}${string}`> {
  const schema: Schema<string> = string(expected).check(startsWith(prefix, expected));
  // zod checks the start of a string, and has no type for it.
  return schema as Schema<`${Prefix}${string}`>;
}

/** A check of a string. The text for another form is made only when it is needed. */
export function form(pattern: RegExp, describe: (text: string) => Omit<Issue, 'path'>): $ZodCheck<string> {
  return check(({ value, issues }) => {
    if (pattern.test(value)) return;
    const { expected, received } = describe(value);
    issues.push({ code: 'custom', input: value, message: expected, params: { received } });
  });
}

/** An object with these fields; unknown fields pass. */
export function object<Shape extends Fields>(shape: Shape, expected?: string): ZodMiniObject<Shape> {
  return new ZodMiniObject({ type: 'object', shape, ...worded(expected) }) as ZodMiniObject<Shape>;
}

/** An object with these fields and no others, for options. */
export function strictObject<Shape extends Fields>(shape: Shape, expected?: string): ZodMiniObject<Shape> {
  // A catchall that always fails gives each unknown name its own issue, with the names to choose from.
  const catchall = custom<never>(() => false, { params: { known: Object.keys(shape) } });
  const def = { type: 'object', shape, catchall, ...worded(expected) } as const;
  return new ZodMiniObject(def) as ZodMiniObject<Shape>;
}

function worded(expected: string | undefined) {
  return expected === undefined ? {} : { error: () => expected };
}

/** An integer that is exact in JavaScript. */
export function integer(expected = 'an integer') {
  return int({ error: expected, abort: true });
}

/** `undefined`: a field that must be left out. */
export function absent(expected: string) {
  return optional(undefinedType(expected));
}

/** Checks that an object has exactly one of two fields, and says whether it has both or neither. */
export function exactlyOne<One extends string, Other extends string>(
  one: One,
  other: Other,
): $ZodCheck<{ readonly [Name in One | Other]?: unknown }> {
  return check(requireOneOf(one, other));
}

export function filled(expected = 'a non-empty string') {
  const error = () => expected;
  const isFilled = new $ZodCheckMinLength({ check: 'min_length', minimum: 1, error, when: holdsString });
  return string(expected).check(isFilled);
}

export function maximumLength(maximum: number): $ZodCheck<string> {
  const error = () => `at most ${maximum} characters`;
  return new $ZodCheckMaxLength({ check: 'max_length', maximum, error, when: holdsString });
}

export function notEmpty(expected = 'at least 1 item'): $ZodCheck<readonly unknown[]> {
  const error = () => expected;
  return new $ZodCheckMinLength({ check: 'min_length', minimum: 1, error, when: holdsArray });
}

/**
 * A value that this version of the SDK does not know: the string that the service sent, or one that `unlisted` made. It is a `string`
 * wherever you use it; next to known values, the compiler tells it apart.
 */
// An enum, because the compiler distinguishes it from every known value and still treats it as a string. It does not exist at run time.
export declare enum UnlistedValue {
  /** Stands for any such value. No value is this text. */
  any = '(a value that this version does not know)',
}

/**
 * One of these values, or one that the service adds later: a new value never breaks your program. A misspelt value does not
 * compile, neither as a parameter nor in a comparison. Use `unlisted` for a value that the SDK does not know yet.
 */
export type OrUnlisted<Known extends string> = Known | UnlistedValue;

/**
 * Makes a value compile that the service knows and this version of the SDK does not, as a parameter or in a comparison.
 *
 * @example
 * if (intent.status === unlisted('requires_review')) await hold(order);
 */
export function unlisted(value: string): UnlistedValue {
  return value as UnlistedValue;
}

/** The schema of an open enumeration: any string passes, so that a new value is no error. */
export function openEnum<Value extends string>(
  schema: Schema<string> = string(),
): Schema<Value | UnlistedValue> {
  // The compiler has no type of all strings but the misspelt ones.
  return schema as Schema<Value | UnlistedValue>;
}
