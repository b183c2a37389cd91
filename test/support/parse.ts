import { conforms, findIssues, type Schema } from '../../src/core/schema.ts';

/** The value with its type. Fails where it is not what the schema says. */
export function parse<T>(schema: Schema<T>, value: unknown): T {
  if (conforms(schema, value)) return value;
  throw new Error(`The value does not conform: ${JSON.stringify(findIssues(schema, value), null, 2)}`);
}
