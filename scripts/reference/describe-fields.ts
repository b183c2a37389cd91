/** Adds the doc comment of each field to a JSON Schema: description, source and known values. */

import { isRecord } from '../../src/base/json.ts';
import type { Source } from './doc-comments.ts';
import type { Json } from './json-schema.ts';
import type { Field } from './source-types.ts';

/** A string that accepts other values than the known ones. Generators create an open union. */
function openEnum(values: Json, schema: Json): Json {
  const known = { type: 'string', ...values };
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(anyOf)) return { anyOf: [known, ...anyOf] };
  if (!Array.isArray(type)) return { anyOf: [known, schema] };
  return { anyOf: [known, ...type.map((one) => ({ ...(one === 'string' && rest), type: one }))] };
}

function withValues(schema: Json, { values, inferredValues }: Field): Json {
  if (values.length === 0 || 'const' in schema) return schema;
  const inferred = values.filter((value) => inferredValues.includes(value));
  const known = { enum: values, ...(inferred.length > 0 && { 'x-inferred-values': inferred }) };
  const { items } = schema;
  return isRecord(items) ? { ...schema, items: openEnum(known, items) } : openEnum(known, schema);
}

function describeField(schema: Json, field: Field, parent: Source | undefined): Json {
  // Fields inside an inferred field are inferred.
  const source = parent === 'inferred' ? parent : field.source;
  if (source === undefined)
    throw new Error(`Expected *shown* or *inferred* in the doc comment of '${field.name}', got neither.`);
  const { description } = field;
  return {
    description,
    'x-source': source,
    ...withValues(describeFields(schema, field.fields, source), field),
  };
}

function describeProperty(schema: unknown, name: string, fields: readonly Field[], parent?: Source): unknown {
  if (!isRecord(schema) || 'x-source' in schema) return schema;
  const field = fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`Expected a type that declares the field '${name}', got none.`);
  return describeField(schema, field, parent);
}

/** Describes the fields of a schema, including nested ones. Leaves references unchanged. */
export function describeFields(schema: Json, fields: readonly Field[], parent?: Source): Json {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          describeProperty(property, name, fields, parent),
        ]),
      ),
    }),
    ...(isRecord(items) && { items: describeFields(items, fields, parent) }),
    ...(Array.isArray(anyOf) && {
      anyOf: anyOf.map((one: unknown) => (isRecord(one) ? describeFields(one, fields, parent) : one)),
    }),
  };
}
