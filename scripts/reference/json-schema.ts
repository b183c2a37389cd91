/** Makes JSON Schemas from the schemas that the SDK itself uses. */

import * as z from 'zod/mini';
import { isRecord } from '../../src/base/json.ts';
import type { Schema } from '../../src/base/schema.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';

/** An object of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** The resources whose fields the interface does not show share one component. */
const openResource = 'open_resource';

/** Every resource is a component, by the name that references take. */
export const components: ReadonlyMap<Schema<unknown>, string> = new Map(
  Object.entries(resourceSchemas).map(([name, schema]) => [
    schema,
    schema === resourceSchemas.product ? openResource : name,
  ]),
);

/** A reference to a component. */
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
  // That an integer is exact in JavaScript is no bound of the service.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // zod's own name of a check, which no reader of the description knows.
  if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
  // The SDK keeps fields that it does not know, and zod calls an object closed that names no others.
  const { def } = zodSchema._zod;
  if (def.type !== 'object') return;
  if (def.catchall === undefined) jsonSchema.additionalProperties = {};
  // A strict object is one whose catchall takes nothing.
  else if (def.catchall._zod.def.type === 'custom') jsonSchema.additionalProperties = false;
};

/** The JSON Schema of a schema. A resource within it is a reference. */
export function toJsonSchema(schema: Schema<unknown>): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { override, io: 'input', unrepresentable: 'any' });
  if (!isRecord(json)) throw new Error('A schema is expected to be an object.');
  return json;
}
