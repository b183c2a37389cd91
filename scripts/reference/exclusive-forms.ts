/** Puts what a union of parameter types says into a JSON Schema: which fields are given together, and which never. */

import { isRecord } from '../../src/base/json.ts';
import type { Json } from './json-schema.ts';
import type { Form } from './source-types.ts';

/**
 * The schema with one branch for each form, so that generators make a union. A field that some form forbids moves into the branches: as it
 * is, or as `false`, which nothing fits and which generators write as `never`.
 */
export function withForms(schema: Json, forms: readonly Form[]): Json {
  const exclusive = new Set(forms.flatMap(({ forbidden }) => forbidden));
  if (forms.length < 2 || exclusive.size === 0) return schema;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const entries = Object.entries(properties);
  const branchOf = (form: Form): Json => ({
    type: 'object',
    properties: Object.fromEntries(
      entries.flatMap(([name, field]) =>
        exclusive.has(name) ? [[name, form.forbidden.includes(name) ? false : field]] : [],
      ),
    ),
    required: form.required.filter((name) => exclusive.has(name)),
  });
  return {
    ...schema,
    properties: Object.fromEntries(entries.filter(([name]) => !exclusive.has(name))),
    required: required.filter((name) => !exclusive.has(name)),
    oneOf: forms.map(branchOf),
  };
}
