/** Returns what a table has for a key; `undefined` for a key that it does not list, such as an inherited name. */
export function lookUp<Entry>(table: Readonly<Record<string, Entry>>, key: string): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Returns the meaning of a code of the service; `undefined` for an empty code. A code may be unknown to the table. */
export function readCode<Meaning extends object>(
  table: Readonly<Record<string, Meaning>>,
  unlisted: Meaning,
  code: string,
) {
  if (code === '') return undefined;
  const listed = lookUp(table, code);
  return { code, ...(listed ?? unlisted), source: listed === undefined ? 'unknown' : 'shown' } as const;
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
