/**
 * Reads which parameters are required together or mutually exclusive from the union of their types, and writes them
 * into a JSON Schema.
 */

import ts from 'typescript';
import { isRecord } from '../../src/base/json.ts';
import { compiledProgram, isForbidden, partsOf, typeOf } from './compiler.ts';
import type { Json } from './json-schema.ts';

/** The fields that one member of a union requires, and those that it forbids. */
export interface Form {
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
}

function toForm(type: ts.Type, checker: ts.TypeChecker): Form {
  const symbols = checker.getPropertiesOfType(type);
  const isRequired = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Optional) === 0;
  return {
    required: symbols.filter(isRequired).map(({ name }) => name),
    forbidden: symbols.filter((symbol) => isForbidden(symbol, checker)).map(({ name }) => name),
  };
}

/** Returns the forms of a type: one, or one per member of a union. */
export function formsOfType(type: ts.Type, checker: ts.TypeChecker): readonly Form[] {
  return partsOf(type).map((part) => toForm(part, checker));
}

/** Returns the forms of a type in a module of `src/`: one, or one per member of a union. */
export function formsOf(module: string, name: string): readonly Form[] {
  return formsOfType(typeOf(module, name), compiledProgram().checker);
}

/**
 * Adds a branch per form to a schema, so that generators create a union. A field that a form forbids moves into the
 * branches: unchanged, or as `false`, which generators write as `never`.
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
