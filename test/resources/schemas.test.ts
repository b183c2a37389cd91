/** Reaches inside: the fields that a schema lists are visible only in its definition. */

import { describe, expect, it } from 'vitest';
import { formatPath } from '../../src/base/issue.ts';
import type { Schema } from '../../src/base/schema/schema.ts';
import { issuesOf } from '../../src/base/schema/validation.ts';
import { resourceSchemas } from '../../src/resources/schemas.ts';
import {
  type FieldRow,
  type FieldType,
  fieldTables,
  nestedTables,
  type ObjectName,
} from '../support/field-tables.ts';
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

/** The definition of a schema inside `optional`, `nullable` and `lazy`, or of its items if it is an array. */
function definitionOf(schema: unknown): Fields {
  const { def, innerType } = isFields(schema) && isFields(schema['_zod']) ? schema['_zod'] : {};
  if (!isFields(def)) throw new Error('expected a schema with a definition');
  const inner = innerType ?? def['innerType'] ?? def['element'];
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

/** A rule of the fields of all resources. */
interface Rule {
  readonly name: string;
  readonly isOf: (row: FieldRow) => boolean;
  /** Values of a field, and the path within it of the one issue; `undefined` where the value is accepted. */
  readonly values: (row: FieldRow) => readonly (readonly [value: unknown, inside: string | undefined])[];
}

const rules: readonly Rule[] = [
  {
    name: 'refuses an object without a field',
    isOf: ({ optional }) => !optional,
    values: () => [[undefined, '']],
  },
  {
    name: 'accepts an object without an optional field',
    isOf: ({ optional }) => optional === true,
    values: () => [[undefined, undefined]],
  },
  {
    name: 'accepts null in a nullable field',
    isOf: ({ nullable }) => nullable === true,
    values: () => [[null, undefined]],
  },
  { name: 'refuses null in any other', isOf: ({ nullable }) => !nullable, values: () => [[null, '']] },
  { name: 'refuses any other type in each field', isOf: () => true, values: ({ type }) => wrongValues[type] },
  {
    name: 'accepts every known value of an enumeration, and an unknown one',
    isOf: ({ known }) => known !== undefined,
    values: ({ known = [] }) => [...known, 'value_of_tomorrow'].map((value) => [value, undefined]),
  },
  {
    name: 'refuses the name of another type',
    isOf: ({ literal }) => literal !== undefined,
    values: () => [['another_type', '']],
  },
  {
    name: 'refuses the id of another kind',
    isOf: ({ prefix }) => prefix !== undefined,
    values: ({ type }) => [type === 'string[]' ? [['evt_1'], '[0]'] : ['evt_1', '']],
  },
];

describe.each(objectNames)('the schema of %s', (name) => {
  const places = placesOf(name);

  it('lists exactly the fields of the table, and accepts an object with all of them', () => {
    const inTable = places.map(({ path }) => path.filter((part) => part !== 0).join('.'));
    expect(fieldsOf(schemas[name]).sort()).toEqual(inTable.sort());
    expect(issuesOf(schemas[name], validObject(name))).toEqual([]);
  });

  it.each(rules)('$name', ({ isOf, values }) => {
    for (const { row, path, at } of places.filter((place) => isOf(place.row))) {
      for (const [value, inside] of values(row)) {
        const expected = inside === undefined ? [] : [at + inside];
        expect(issuePathsWith(name, path, value), `${at}: ${JSON.stringify(value)}`).toEqual(expected);
      }
    }
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
