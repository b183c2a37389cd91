import type { Issue } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { PageBody } from './page.ts';

/**
 * The object in a response. The service does not show its response bodies: the object may be the whole body, or
 * stand under `data` or under its own type's name.
 */
export function unwrapObject(body: unknown, names: readonly string[]): unknown {
  if (!isRecord(body) || Object.hasOwn(body, 'id')) return body;
  for (const name of ['data', ...names]) {
    const inner = Object.hasOwn(body, name) ? body[name] : undefined;
    if (isRecord(inner) && Object.hasOwn(inner, 'id')) return inner;
  }
  return body;
}

/** What a page holds, before its items are checked. */
export interface RawPage extends PageBody<unknown> {
  /** The field in which the items were found. */
  readonly field: string;
}

/** Whether an array holds what a list does: objects with ids. */
function holdsObjects(value: unknown): boolean {
  return Array.isArray(value) && isRecord(value[0]) && Object.hasOwn(value[0], 'id');
}

/** The fields that may hold the items: one, unless the page leaves it open. */
function candidates(body: Record<string, unknown>, names: readonly string[]): string[] {
  const arrays = Object.keys(body).filter((name) => Array.isArray(body[name]));
  const named = ['data', 'items', ...names].find((name) => arrays.includes(name));
  if (named === undefined) return arrays;
  // An empty list beside a full one may be something else, and the items would be lost.
  const isEmpty = Array.isArray(body[named]) && body[named].length === 0;
  const others = arrays.filter((name) => name !== named && holdsObjects(body[name]));
  return isEmpty ? [named, ...others] : [named];
}

/**
 * Reads a page. The name of the field that holds the items is not shown: it is `pinned` where the user said so,
 * else `data`, `items`, one of the collection's names, or the only array of the page.
 */
export function readPage(
  body: unknown,
  names: readonly string[],
  pinned: string | undefined,
): RawPage | Issue {
  if (!isRecord(body)) return { path: '(root)', expected: 'a page', received: 'something else' };
  const fields = pinned === undefined ? candidates(body, names) : [pinned];
  const [field] = fields;
  const items = field === undefined ? undefined : body[field];
  if (field === undefined || fields.length > 1 || !Array.isArray(items)) {
    const expected = pinned === undefined ? 'one array of items' : `an array in the field '${pinned}'`;
    const received = fields.length > 1 ? `${fields.length} arrays; set itemsField to the right one` : 'none';
    return { path: pinned ?? '(root)', expected, received };
  }
  const { has_more: hasMore, next_cursor: nextCursor } = body;
  return {
    field,
    items,
    hasMore: typeof hasMore === 'boolean' ? hasMore : undefined,
    nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined,
  };
}
