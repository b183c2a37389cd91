import * as z from 'zod/mini';
import type { Schema } from '../../src/base/schema.ts';

const made = new WeakMap<Schema<unknown>, z.ZodMiniType>();

function bare({ definition }: Schema<unknown>): z.ZodMiniType {
  switch (definition.type) {
    case 'string':
      return z.string();
    case 'integer':
      return z.int();
    case 'boolean':
      return z.boolean();
    case 'unknown':
      return z.unknown();
    case 'undefined':
      return z.optional(z.undefined());
    case 'literal':
      return z.literal(definition.value);
    case 'prefixed':
      return z.templateLiteral([definition.prefix, z.string()]);
    case 'optional':
      return z.optional(toZod(definition.inner));
    case 'nullable':
      return z.nullable(toZod(definition.inner));
    case 'array':
      return z.array(toZod(definition.element));
    case 'record':
      return z.record(z.string(), toZod(definition.values));
    case 'object': {
      const shape = Object.fromEntries(
        Object.entries(definition.fields).map(([name, field]) => [name, toZod(field)]),
      );
      return z.catchall(z.object(shape), toZod(definition.others));
    }
  }
}

/**
 * The same schema for tools that know zod, such as the generator of the OpenAPI document. Rules come along as far as JSON Schema
 * has words for them. One schema gives one of zod's, so that what is named once is referred to.
 */
export function toZod(schema: Schema<unknown>): z.ZodMiniType {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const keywords = schema.rules.flatMap(({ keyword }) => keyword ?? []);
  const converted =
    keywords.length === 0 ? bare(schema) : bare(schema).check(z.meta(Object.assign({}, ...keywords)));
  made.set(schema, converted);
  return converted;
}
