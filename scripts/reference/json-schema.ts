/** Creates JSON Schemas from the SDK's own schemas. */

import * as z from 'zod/mini';
import { $ZodType } from 'zod/v4/core';
import { isRecord } from '../../src/base/json.ts';
import type { Schema } from '../../src/base/schema/schema.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';

/** An object of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** The resources without shown fields share one component. */
const openResource = 'open_resource';

/** The component name of each resource. */
export const components: ReadonlyMap<Schema<unknown>, string> = new Map(
  Object.entries(resourceSchemas).map(([name, schema]) => [
    schema,
    schema === resourceSchemas.product ? openResource : name,
  ]),
);

export const refTo = (kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const override: Override = ({ jsonSchema, zodSchema, path }) => {
  const component = components.get(zodSchema);
  if (component !== undefined && path.length > 0) {
    for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
    Object.assign(jsonSchema, refTo('schemas', component));
    return;
  }
  // The range of exact JavaScript integers is not a limit of the service.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // zod's internal name of a check, unknown to readers of the description.
  if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
  // The SDK keeps unknown fields, but zod treats an object with known fields only as closed.
  const { def } = zodSchema._zod;
  // A record of ours is a custom type to zod.
  if ('valueType' in def && def.valueType instanceof $ZodType) {
    const additionalProperties = toJsonSchema(def.valueType);
    Object.assign(jsonSchema, { type: 'object', propertyNames: { type: 'string' }, additionalProperties });
  }
  if (def.type !== 'object') return;
  if (def.catchall === undefined) jsonSchema.additionalProperties = {};
  // A strict object has a catchall that accepts nothing.
  else if (def.catchall._zod.def.type === 'custom') jsonSchema.additionalProperties = false;
};

/** Returns the JSON Schema of a schema. Nested resources are references. */
export function toJsonSchema(schema: Schema<unknown>): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { override, io: 'input', unrepresentable: 'any' });
  if (!isRecord(json)) throw new Error('Expected the JSON Schema to be an object.');
  return json;
}
