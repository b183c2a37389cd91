/** An object of any kind. */
export interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Returns a field's value as text; empty if there is none. */
export function textIn(item: Item, field: string): string {
  const value = item[field];
  return value === undefined || value === null ? '' : String(value);
}

/** Returns a time in ms since 1970. Resources of the service have seconds, the sandbox's own objects milliseconds. */
export function timeIn(item: Item, field: string): number | undefined {
  const value = item[field];
  if (typeof value !== 'number') return undefined;
  return field === 'createdAt' ? value : value * 1_000;
}
