import type * as z from 'zod/mini';
import { isRecord } from './json.ts';
import type { Schema } from './schema.ts';

/** Whether a value surely conforms. False says nothing: ask the schema itself. */
type Conforms = (value: unknown) => boolean;

type AnySchema = z.core.$ZodTypes;

const isString: Conforms = (value) => typeof value === 'string';
const isBoolean: Conforms = (value) => typeof value === 'boolean';
const always: Conforms = () => true;
const never: Conforms = () => false;

/** Children of zod's schemas have its base type; that all of them are of the union is zod's own promise. */
const known = (schema: z.core.$ZodType): AnySchema => schema as AnySchema;

function objectConforms(def: z.core.$ZodObjectDef): Conforms {
  // A strict object refuses unknown fields, which is for the schema to say.
  if (def.catchall?._zod.def.type !== 'unknown') return never;
  const fields = Object.entries(def.shape).map(([name, field]) => ({
    name,
    conforms: compile(known(field)),
  }));
  return (value) => {
    if (!isRecord(value)) return false;
    for (const { name, conforms } of fields) if (!conforms(value[name])) return false;
    return true;
  };
}

function arrayConforms(def: z.core.$ZodArrayDef): Conforms {
  const conforms = compile(known(def.element));
  return (value) => Array.isArray(value) && value.every((item) => conforms(item));
}

function recordConforms(def: z.core.$ZodRecordDef): Conforms {
  const conforms = compile(known(def.valueType));
  if (compile(known(def.keyType)) !== isString) return never;
  return (value) => {
    if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return false;
    for (const name in value) if (!conforms(value[name])) return false;
    return true;
  };
}

function checkConforms(check: z.core.$ZodCheck): Conforms {
  const { def } = (check as z.core.$ZodChecks)._zod;
  switch (def.check) {
    case 'greater_than': {
      const { value: bound, inclusive } = def;
      return (value) => Number(value) > Number(bound) || (inclusive && value === bound);
    }
    case 'min_length':
      return (value) => lengthOf(value) >= def.minimum;
    case 'max_length':
      return (value) => lengthOf(value) <= def.maximum;
    case 'string_format': {
      const { pattern } = def;
      // One that remembers where it found something would answer differently the next time.
      if (pattern === undefined || pattern.global || pattern.sticky) return never;
      return (value) => typeof value === 'string' && pattern.test(value);
    }
    default:
      return never;
  }
}

/** Of a text or an array; no bound admits any other value. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : Number.NaN;
}

function compile(schema: AnySchema): Conforms {
  const base = compileType(schema);
  const [first, ...others] = (schema._zod.def.checks ?? []).map(checkConforms);
  if (first === undefined || base === never) return base;
  if (others.length === 0) return (value) => base(value) && first(value);
  return (value) => base(value) && first(value) && others.every((conforms) => conforms(value));
}

/**
 * What a schema says, as a function that makes nothing: no copies, no issues, and no `new Function`, which Workers and
 * strict pages forbid. What it does not know is left to the schema.
 */
function compileType(schema: AnySchema): Conforms {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return 'format' in def ? never : isString;
    case 'boolean':
      return isBoolean;
    case 'number':
      return 'format' in def && def.format === 'safeint' ? Number.isSafeInteger : never;
    case 'literal': {
      const [only, ...others] = def.values;
      return others.length > 0 ? never : (value) => value === only;
    }
    case 'template_literal': {
      const { pattern } = schema._zod;
      return pattern === undefined ? never : (value) => typeof value === 'string' && pattern.test(value);
    }
    case 'unknown':
      return always;
    case 'nullable': {
      const inner = compile(known(def.innerType));
      return (value) => value === null || inner(value);
    }
    case 'optional': {
      const inner = compile(known(def.innerType));
      return (value) => value === undefined || inner(value);
    }
    case 'array':
      return arrayConforms(def);
    case 'record':
      return recordConforms(def);
    case 'object':
      return objectConforms(def);
    default:
      return never;
  }
}

const compiled = new WeakMap<Schema<unknown>, Conforms>();

/** Whether a value surely conforms to a schema. Far quicker than the schema, which is left to say what is wrong. */
export function surelyConforms<T>(schema: Schema<T>, value: unknown): value is T {
  let conforms = compiled.get(schema);
  if (conforms === undefined) {
    conforms = compile(known(schema));
    compiled.set(schema, conforms);
  }
  return conforms(value);
}
