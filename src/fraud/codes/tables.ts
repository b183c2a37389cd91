import { unlisted } from '../../base/schema/schema.ts';

/** Returns what a table has for a key; `undefined` for a key that it does not list, such as an inherited name. */
export function lookUp<Entry>(table: Readonly<Record<string, Entry>>, key: string): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function isListed<Code extends string>(table: Readonly<Record<Code, unknown>>, code: string): code is Code {
  return Object.hasOwn(table, code);
}

/** Returns the meaning of a code of the service; `undefined` for an empty code. A code may be unknown to the table. */
export function readCode<Code extends string, Meaning extends object>(
  table: Readonly<Record<Code, Meaning>>,
  otherwise: Meaning,
  code: string,
) {
  if (code === '') return undefined;
  return isListed(table, code)
    ? ({ code, ...table[code], source: 'shown' } as const)
    : ({ code: unlisted(code), ...otherwise, source: 'unknown' } as const);
}

/** Returns the keys of a table of our own, whose type lists all of them. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(table) as Key[];
}

/** Returns a table with the same keys and other entries. */
export function mapTable<Key extends string, From, To>(
  table: Readonly<Record<Key, From>>,
  toEntry: (entry: From) => To,
): Record<Key, To> {
  return Object.fromEntries(keysOf(table).map((key) => [key, toEntry(table[key])])) as Record<Key, To>;
}
