/**
 * What schemas are made from: zod's own names, and the types that zod has no fitting one for. Imported as a whole:
 * `import * as s from '…/schema.ts'`. The words that a schema or a check takes say what was expected.
 */

import {
  custom,
  int,
  optional,
  string,
  undefined as undefinedType,
  ZodMiniArray,
  ZodMiniObject,
  ZodMiniRecord,
  type ZodMiniString,
  ZodMiniTemplateLiteral,
} from 'zod/mini';
import {
  $constructor,
  $ZodAsyncError,
  $ZodCheckMaxLength,
  $ZodCheckMinLength,
  $ZodObject,
  $ZodObjectJIT,
  type $ZodType,
  type ParseContextInternal,
  type ParsePayload,
  type SomeType,
} from 'zod/v4/core';
import { isRecord } from './json.ts';

export {
  boolean,
  catchall,
  custom,
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

export type { output as TypeOf } from 'zod/v4/core';

/** A schema of values of one type. */
export type Schema<T> = $ZodType<T, T>;

type Fields = Readonly<Record<string, $ZodType>>;

/** The names of an object's fields; none for a schema of anything else. */
export function fieldNames(schema: Schema<unknown>): readonly string[] {
  return schema instanceof $ZodObject ? Object.keys(schema._zod.def.shape) : [];
}

/** How many issues one list or record may have: a body may hold millions of wrong items. */
const maxIssues = 20;

/** Checks one part of a value, adds its issues to those of the whole, and returns the part. */
function parsePart(
  whole: ParsePayload,
  key: PropertyKey,
  part: unknown,
  schema: SomeType,
  context: ParseContextInternal,
): unknown {
  const payload = schema._zod.run({ value: part, issues: [] }, context);
  if (payload instanceof Promise) throw new $ZodAsyncError();
  for (const issue of payload.issues) {
    whole.issues.push({ ...issue, path: [key, ...(issue.path ?? [])] });
  }
  return payload.value;
}

function mayStop({ issues }: ParsePayload, { abortEarly }: ParseContextInternal): boolean {
  return issues.length >= (abortEarly === true ? 1 : maxIssues);
}

/** Stops after some issues; zod's own goes on to the end. */
const BoundedArray = /* @__PURE__ */ $constructor<ZodMiniArray>('BoundedArray', (inst, def) => {
  ZodMiniArray.init(inst, def);
  inst._zod.parse = (payload, context) => {
    const items: unknown = payload.value;
    if (!Array.isArray(items)) {
      payload.issues.push({ code: 'invalid_type', expected: 'array', input: items, inst });
      return payload;
    }
    const parts: unknown[] = [];
    for (let index = 0; index < items.length && !mayStop(payload, context); index += 1) {
      const part = parsePart(payload, index, items[index], def.element, context);
      // Where only the verdict counts, a copy would double the memory of a long list.
      if (context.abortEarly !== true) parts.push(part);
    }
    if (context.abortEarly !== true) payload.value = parts;
    return payload;
  };
});

/** Made by braces or by JSON; a `Map` or a `Date` has no fields to speak of, and would be sent as nothing. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // One of another realm, such as a test runner's, is not the same object but has the same methods.
  return prototype === null || Object.hasOwn(Object(prototype), 'isPrototypeOf');
}

/** Refuses inherited fields, which would not be sent, and stops after some issues; zod's own does neither. */
const BoundedRecord = /* @__PURE__ */ $constructor<ZodMiniRecord>('BoundedRecord', (inst, def) => {
  ZodMiniRecord.init(inst, def);
  inst._zod.parse = (payload, context) => {
    const fields: unknown = payload.value;
    if (!isPlain(fields)) {
      payload.issues.push({ code: 'invalid_type', expected: 'record', input: fields, inst });
      return payload;
    }
    for (const name in fields) {
      if (mayStop(payload, context)) break;
      parsePart(payload, name, fields[name], def.valueType, context);
    }
    return payload;
  };
});

/** Compares the start of a text; zod's own matches a regular expression. */
const Prefixed = /* @__PURE__ */ $constructor<ZodMiniTemplateLiteral>('Prefixed', (inst, def) => {
  ZodMiniTemplateLiteral.init(inst, def);
  const prefix = String(def.parts[0]);
  inst._zod.parse = (payload) => {
    const { value } = payload;
    if (typeof value !== 'string' || !value.startsWith(prefix)) {
      payload.issues.push({ code: 'invalid_type', expected: 'string', input: value, inst });
    }
    return payload;
  };
});

/** Compiled where the runtime allows it, as `z.object` of zod is and that of zod/mini is not. */
const CompiledObject = /* @__PURE__ */ $constructor<ZodMiniObject>('CompiledObject', (inst, def) => {
  ZodMiniObject.init(inst, def);
  $ZodObjectJIT.init(inst, def);
});

// The casts below are those of zod's own factories: a constructor cannot be generic in what it is given.

/** Any number of one kind. */
export function array<Item extends $ZodType>(element: Item): ZodMiniArray<Item> {
  return new BoundedArray({ type: 'array', element }) as ZodMiniArray<Item>;
}

/** Any fields, all of one kind. */
export function record<Value extends $ZodType>(
  valueType: Value,
): ZodMiniRecord<ZodMiniString<string>, Value> {
  const made = new BoundedRecord({ type: 'record', keyType: string(), valueType });
  return made as ZodMiniRecord<ZodMiniString<string>, Value>;
}

/** A text that starts so. */
export function prefixed<Prefix extends string>(
  prefix: Prefix,
  expected: string,
): ZodMiniTemplateLiteral<`${Prefix}${string}`> {
  const parts = [prefix, string()];
  const made = new Prefixed({ type: 'template_literal', parts, error: () => expected });
  return made as ZodMiniTemplateLiteral<`${Prefix}${string}`>;
}

/** These fields; all others pass. */
export function object<Shape extends Fields>(shape: Shape): ZodMiniObject<Shape> {
  return new CompiledObject({ type: 'object', shape }) as ZodMiniObject<Shape>;
}

/** These fields and no others, as options have them. */
export function strictObject<Shape extends Fields>(shape: Shape): ZodMiniObject<Shape> {
  // A catch-all that nothing conforms to gives each unknown name an issue of its own.
  const catchall = custom<never>(() => false, { params: { known: Object.keys(shape) } });
  return new CompiledObject({ type: 'object', shape, catchall }) as ZodMiniObject<Shape>;
}

/** An integer that is exact in JavaScript. */
export function integer(expected = 'an integer') {
  return int({ error: expected, abort: true });
}

/** Nothing at all: a field that must be left out. */
export function absent(expected: string) {
  return optional(undefinedType(expected));
}

/** A text of at least one character. */
export function filled(expected: string) {
  return new $ZodCheckMinLength({
    check: 'min_length',
    minimum: 1,
    error: () => expected,
    when: ({ value }) => typeof value === 'string',
  });
}

/** A text of at most this many characters. */
export function maximumLength(maximum: number) {
  return new $ZodCheckMaxLength({
    check: 'max_length',
    maximum,
    error: () => `at most ${maximum} characters`,
    when: ({ value }) => typeof value === 'string',
  });
}

/** At least one item. */
export function notEmpty(expected = 'at least 1 item') {
  return new $ZodCheckMinLength({
    check: 'min_length',
    minimum: 1,
    error: () => expected,
    when: ({ value }) => Array.isArray(value),
  });
}
