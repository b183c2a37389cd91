/** Reaches inside: tests compare the paths of issues, so they are written by the function that writes them.
 *
 * Objects made from the field tables, whole or changed in one place.
 */

import { formatPath } from '../../src/base/issue.ts';
import { type FieldRow, fieldTables, nestedTables, type ObjectName } from './field-tables.ts';

type Path = readonly PropertyKey[];
export type Fields = Record<string, unknown>;

/** A field in a complete object. */
export interface Place {
  readonly row: FieldRow;
  readonly path: Path;
  /** The path in the form of issues. */
  readonly at: string;
}

function isObjectName(name: string): name is ObjectName {
  return Object.hasOwn(fieldTables, name);
}

export const objectNames = Object.keys(fieldTables).filter(isObjectName);

const text = ({ literal, known, prefix }: FieldRow) =>
  literal ?? known?.[0] ?? (prefix === undefined ? 'some text' : `${prefix}1`);

function sampleOf(row: FieldRow, inner: readonly FieldRow[] | undefined): unknown {
  switch (row.type) {
    case 'string':
      return text(row);
    case 'integer':
      return 1200;
    case 'boolean':
      return false;
    case 'metadata':
      return { order: '1042' };
    case 'string[]':
      return [text(row)];
    case 'object':
      return inner === undefined ? { anything: [1] } : objectOf(inner);
    case 'object[]':
      return inner === undefined ? [] : [objectOf(inner)];
  }
}

function objectOf(table: readonly FieldRow[], name?: ObjectName): Fields {
  return Object.fromEntries(
    table.map((row) => [row.field, sampleOf(row, name && nestedTables[`${name}.${row.field}`])]),
  );
}

/** A valid object with every field of its table, including optional ones. */
export const validObject = (name: ObjectName): Fields => objectOf(fieldTables[name], name);

function place(row: FieldRow, parent: Path): Place {
  const path = [...parent, row.field];
  return { row, path, at: formatPath(path) };
}

/** Returns every field of a resource, including nested ones. */
export function placesOf(name: ObjectName): Place[] {
  return fieldTables[name].flatMap((row) => {
    const inner = nestedTables[`${name}.${row.field}`] ?? [];
    const parent = row.type === 'object[]' ? [row.field, 0] : [row.field];
    return [place(row, []), ...inner.map((innerRow) => place(innerRow, parent))];
  });
}

function parentOf(root: Fields, path: Path): object {
  let parent: object = root;
  for (const part of path.slice(0, -1)) parent = Object(Reflect.get(parent, part));
  return parent;
}

/** A field that is null together with another one: no charge is settled without its batch. */
const nullWith: Readonly<Record<string, string>> = { settlement_batch_id: 'settled_at' };

/** Returns the valid object with one value changed, or without that field for `undefined`. */
export function changed(name: ObjectName, path: Path, value: unknown): Fields {
  const root = structuredClone(validObject(name));
  const partner = nullWith[String(path[0])];
  if (value === null && partner !== undefined) root[partner] = null;
  const [field = ''] = path.slice(-1);
  if (value === undefined) Reflect.deleteProperty(parentOf(root, path), field);
  else Reflect.set(parentOf(root, path), field, value);
  return root;
}
