/** The names of a schema's fields, and those that it does not have. */

import { $ZodObject, type $ZodType, type $ZodTypes } from 'zod/v4/core';
import { formatPath, type Issue } from '../issue.ts';
import { isRecord } from '../json.ts';
import { inPlaceOf, isMisspelt, isPlainName } from './advice.ts';
import type { Schema } from './validation.ts';

type Shape = Readonly<Record<string, $ZodType>>;

/** Returns the names of an object schema's fields; none for any other schema. */
export function fieldNames(schema: Schema<unknown>): readonly string[] {
  return schema instanceof $ZodObject ? Object.keys(schema._zod.def.shape) : [];
}

/** Returns the schemas of an object's fields, also of an array's items and of what may be absent; none for any other schema. */
function shapeOf(schema: $ZodType): Shape {
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

/** Whether the schema of an object says that fields of any name may be there. */
function isOpen(schema: $ZodType): boolean {
  const { def } = (schema as $ZodTypes)._zod;
  if (def.type === 'optional') return isOpen(def.innerType);
  return def.type === 'object' && (def.catchall as $ZodTypes | undefined)?._zod.def.type === 'unknown';
}

/** A field that a schema does not have. */
export interface UnknownField extends Issue {
  /** Its path without the indexes of arrays, such as `line_items.price_data`; `undefined` if it may not be repeated. */
  readonly name: string | undefined;
  /** Whether it says what was probably meant. */
  readonly isMeant: boolean;
}

/** The number of issues after which the search ends: parameters may be what a stranger sent to the merchant. */
const maxIssues = 20;

/**
 * Returns an issue for each field, at any depth, that a schema does not have: a service would ignore it, so that a part is a whole and a
 * discount none. Where fields of any name may be there, only one that probably stands for an absent one is an issue.
 *
 * @param isExtra Whether a field passes, by its path without the indexes of arrays.
 */
export function unknownFields(
  schema: $ZodType,
  value: unknown,
  isExtra: (name: string) => boolean = () => false,
  path: readonly (string | number)[] = [],
  found: UnknownField[] = [],
): readonly UnknownField[] {
  if (Array.isArray(value)) {
    // Only as deep as the schema: a body may hold arrays within arrays without end.
    const element = elementOf(schema);
    if (element === undefined) return found;
    for (const [index, item] of value.entries())
      unknownFields(element, item, isExtra, [...path, index], found);
    return found;
  }
  const shape = shapeOf(schema);
  if (!isRecord(value) || Object.keys(shape).length === 0) return found;
  for (const name of Object.keys(value)) {
    if (found.length >= maxIssues) break;
    const part = value[name];
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    // What is undefined is not sent.
    if (part === undefined || (field !== undefined && typeof part !== 'object')) continue;
    const whole = [...path, name];
    if (field !== undefined) unknownFields(field, part, isExtra, whole, found);
    // A name with a dot of its own would be a path.
    else if (name.includes('.') || !isExtra(namedPath(whole))) {
      const absent = Object.keys(shape).filter((one) => value[one] === undefined);
      if (!isOpen(schema) || isMisspelt(name, absent)) found.push(unknown(shape, absent, path, name));
    }
  }
  return found;
}

function namedPath(path: readonly (string | number)[]): string {
  return path.filter((part) => typeof part === 'string').join('.');
}

function unknown(
  shape: Shape,
  absent: readonly string[],
  path: readonly (string | number)[],
  name: string,
): UnknownField {
  const isShown = isPlainName(name);
  const within = Object.entries(shape).map(([one, field]) => [one, Object.keys(shapeOf(field))] as const);
  const advice = inPlaceOf(name, absent, Object.fromEntries(within));
  return {
    path: formatPath(isShown ? [...path, name] : path),
    expected: advice === undefined ? `one of ${Object.keys(shape).join(', ')}` : 'a parameter of this method',
    received: advice === undefined ? 'an unknown one' : `an unknown one (${advice})`,
    name: isShown ? namedPath([...path, name]) : undefined,
    isMeant: advice !== undefined,
  };
}
