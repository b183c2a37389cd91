/** Adds the doc comment of each field to a JSON Schema: description, source and known values. */

import { isRecord } from '../../src/base/json.ts';
import { type Source, withoutSource } from './doc-comments.ts';
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

/** What the fields of a schema belong to. */
interface Context {
  /** The source of the field around them. */
  readonly parent?: Source | undefined;
  /** Whether they are parameters. The interface shows no bounds and formats of these, and not which are required. */
  readonly isRequest?: boolean | undefined;
}

const bounds: readonly string[] = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems'];

/** Returns what is inferred of a shown field: a keyword of its schema, that it may be absent, or that it may be null. */
function inferredOf(schema: Json, field: Field, { isRequest }: Context): readonly string[] {
  const ofRequest = ['pattern', ...bounds];
  if (isRequest) return Object.keys(schema).filter((keyword) => ofRequest.includes(keyword));
  const { optional, nullable, isSometimesPresent } = field;
  // The interface shows the prefixes of ids. It writes "or null" for null, and "present when" for a field that may be absent.
  return [
    ...Object.keys(schema).filter((keyword) => bounds.includes(keyword)),
    ...(optional && !isSometimesPresent ? ['optional'] : []),
    ...(optional && nullable ? ['null'] : []),
  ];
}

/** Returns a mark of what is inferred; none if nothing is. */
export const inferredMark = (inferred: readonly string[]): Json =>
  inferred.length === 0 ? {} : { 'x-inferred': inferred };

function describeField(schema: Json, field: Field, context: Context): Json {
  // Fields inside an inferred field are inferred.
  const source = context.parent === 'inferred' ? context.parent : field.source;
  if (source === undefined)
    throw new Error(`Expected *shown* or *inferred* in the doc comment of '${field.name}', got neither.`);
  const description = source === field.source ? field.description : withoutSource(field.description);
  return {
    description,
    'x-source': source,
    ...(source === 'shown' && inferredMark(inferredOf(schema, field, context))),
    ...withValues(describeFields(schema, field.fields, { ...context, parent: source }), field),
  };
}

function describeProperty(
  schema: unknown,
  name: string,
  fields: readonly Field[],
  context: Context,
): unknown {
  if (!isRecord(schema) || 'x-source' in schema) return schema;
  const field = fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`Expected a type that declares the field '${name}', got none.`);
  return describeField(schema, field, context);
}

/** Describes the fields of a schema, including nested ones. Leaves references unchanged. */
export function describeFields(schema: Json, fields: readonly Field[], context: Context = {}): Json {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(isRecord(properties) && {
      ...(context.isRequest && inferredMark(['required'])),
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          describeProperty(property, name, fields, context),
        ]),
      ),
    }),
    ...(isRecord(items) && { items: describeFields(items, fields, context) }),
    ...(Array.isArray(anyOf) && {
      anyOf: anyOf.map((one: unknown) => (isRecord(one) ? describeFields(one, fields, context) : one)),
    }),
  };
}

/** Describes the fields of parameters. */
export const describeParameters = (schema: Json, fields: readonly Field[]): Json =>
  describeFields(schema, fields, { isRequest: true });
