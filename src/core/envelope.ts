import type { Issue } from './errors.ts';
import { isRecord } from './json.ts';
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

function candidates(body: Record<string, unknown>, names: readonly string[]): string[] {
  const named = ['data', 'items', ...names].filter((name) => Array.isArray(body[name]));
  return named.length > 0 ? named.slice(0, 1) : Object.keys(body).filter((name) => Array.isArray(body[name]));
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
