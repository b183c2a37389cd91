/** Reaches inside: the fields that a schema lists are visible only in its definition. */

import { describe, expect, it } from 'vitest';
import { formatPath } from '../../src/base/describe.ts';
import type { Schema } from '../../src/base/schema.ts';
import { issuesOf } from '../../src/base/validation.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';
import { type FieldType, fieldTables, nestedTables, type ObjectName } from '../support/field-tables.ts';
import { changed, type Fields, objectNames, placesOf, validObject } from '../support/sample-objects.ts';

type Path = readonly PropertyKey[];

const schemas: Readonly<Record<ObjectName, Schema<unknown>>> = resourceSchemas;

/** The paths of the schema’s issues after one field is set to another value. */
const issuePathsWith = (name: ObjectName, path: Path, value: unknown) =>
  issuesOf(schemas[name], changed(name, path, value)).map((issue) => issue.path);

/** Values that a type refuses, and the path of the issue inside the value. */
const wrongValues: Readonly<Record<FieldType, readonly (readonly [value: unknown, inside: string])[]>> = {
  string: [7, true, {}, ['text']].map((value) => [value, '']),
  integer: ['7', '7.00', 7.5, true, {}, [7]].map((value) => [value, '']),
  boolean: ['true', 1, {}].map((value) => [value, '']),
  object: ['text', 7, true, [{}]].map((value) => [value, '']),
  metadata: [
    ['text', ''],
    [['text'], ''],
    [{ order: 7 }, '.order'],
    [{ order: null }, '.order'],
  ],
  'string[]': [
    ['text', ''],
    [{}, ''],
    [[7], '[0]'],
    [[null], '[0]'],
  ],
  'object[]': [
    ['text', ''],
    [{}, ''],
    [[7], '[0]'],
    [[null], '[0]'],
  ],
};

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** The definition of a schema inside `optional` and `nullable`, or of its items if it is an array. */
function definitionOf(schema: unknown): Fields {
  const def = isFields(schema) && isFields(schema['_zod']) ? schema['_zod']['def'] : undefined;
  if (!isFields(def)) throw new Error('expected a schema with a definition');
  const inner = def['innerType'] ?? def['element'];
  return inner === undefined ? def : definitionOf(inner);
}

/** The names of the fields that a schema lists, including nested ones. */
function fieldsOf(schema: unknown, parent = ''): string[] {
  const { shape } = definitionOf(schema);
  if (!isFields(shape)) return [];
  return Object.entries(shape).flatMap(([field, inner]) => [
    `${parent}${field}`,
    ...fieldsOf(inner, `${parent}${field}.`),
  ]);
}

describe.each(objectNames)('the schema of %s', (name) => {
  const places = placesOf(name);
  const required = places.filter(({ row }) => !row.optional);
  const optional = places.filter(({ row }) => row.optional);
  const nullable = places.filter(({ row }) => row.nullable);
  const neverNull = places.filter(({ row }) => !row.nullable);
  const enumerated = places.filter(({ row }) => row.known !== undefined);
  const literal = places.filter(({ row }) => row.literal !== undefined);
  const ids = places.filter(({ row }) => row.prefix !== undefined);

  it('accepts an object with every field of the table', () => {
    expect(issuesOf(schemas[name], validObject(name))).toEqual([]);
  });

  it('lists exactly the fields of the table', () => {
    const inTable = places.map(({ path }) => path.filter((part) => part !== 0).join('.'));
    expect(fieldsOf(schemas[name]).sort()).toEqual(inTable.sort());
  });

  it.each(required)('refuses an object without $at', ({ path, at }) => {
    expect(issuePathsWith(name, path, undefined)).toEqual([at]);
  });

  it.each(optional)('accepts an object without $at', ({ path }) => {
    expect(issuePathsWith(name, path, undefined)).toEqual([]);
  });

  it.each(nullable)('accepts null in $at', ({ path }) => {
    expect(issuePathsWith(name, path, null)).toEqual([]);
  });

  it.each(neverNull)('refuses null in $at', ({ path, at }) => {
    expect(issuePathsWith(name, path, null)).toEqual([at]);
  });

  it.each(places)('refuses any other type in $at', ({ row, path, at }) => {
    for (const [value, inside] of wrongValues[row.type]) {
      expect(issuePathsWith(name, path, value), JSON.stringify(value)).toEqual([`${at}${inside}`]);
    }
  });

  it.each(enumerated)('accepts every known value of $at, and an unknown one', ({ row, path }) => {
    for (const value of [...(row.known ?? []), 'value_of_tomorrow']) {
      expect(issuePathsWith(name, path, value), value).toEqual([]);
    }
  });

  it.each(literal)('refuses the name of another type in $at', ({ path, at }) => {
    expect(issuePathsWith(name, path, 'another_type')).toEqual([at]);
  });

  it.each(ids)('refuses the id of another kind in $at', ({ row, path, at }) => {
    const [value, inside] = row.type === 'string[]' ? [['evt_1'], '[0]'] : ['evt_1', ''];
    expect(issuePathsWith(name, path, value)).toEqual([`${at}${inside}`]);
  });

  it('keeps an unknown field at every depth', () => {
    for (const { path } of places) {
      const unknown = [...path.slice(0, -1), 'field_of_tomorrow'];
      const later = changed(name, unknown, { any: [null] });
      expect(issuesOf(schemas[name], later), formatPath(unknown)).toEqual([]);
    }
  });
});

describe('the tables', () => {
  it('name each field once', () => {
    for (const [name, table] of [...Object.entries(fieldTables), ...Object.entries(nestedTables)]) {
      const fields = table.map(({ field }) => field);
      expect(fields, name).toHaveLength(new Set(fields).size);
    }
  });

  it('of inner objects each belong to a field of that type', () => {
    const holders = objectNames.flatMap((name) =>
      fieldTables[name]
        .filter(({ type }) => type === 'object' || type === 'object[]')
        .map(({ field }) => `${name}.${field}`),
    );
    expect(holders).toEqual(expect.arrayContaining(Object.keys(nestedTables)));
  });
});
