import { rootPath } from '../base/describe.ts';
import type { Issue } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Sent } from './prepared-call.ts';
import { conform, type Expected, readJson, refuseBody } from './response.ts';

/** The content of a page. Its items may stand in a field with one of the collection's names. */
export interface ExpectedPage<T> extends Expected<T> {
  readonly plurals: readonly string[];
}

/** One page of a list, as the service sent it. */
export interface PageBody<T> {
  readonly items: readonly T[];
  /** `undefined` if the page has no `has_more`. */
  readonly hasMore: boolean | undefined;
  /** `undefined` if the page has no cursor. */
  readonly nextCursor: string | undefined;
}

/** A page before its items are checked. */
interface RawPage extends PageBody<unknown> {
  /** The field in which the items were found. */
  readonly field: string;
}

/** Whether an array holds what a list does: objects with ids. */
function holdsObjects(value: unknown): boolean {
  return Array.isArray(value) && isRecord(value[0]) && Object.hasOwn(value[0], 'id');
}

/** Returns the fields that may hold the items; more than one is ambiguous. */
function candidates(body: Record<string, unknown>, names: readonly string[]): string[] {
  const arrays = Object.keys(body).filter((name) => Array.isArray(body[name]));
  const named = ['data', 'items', ...names].find((name) => arrays.includes(name));
  if (named === undefined) return arrays;
  // If the named list is empty and another is full, the items may be in the other one.
  const isEmpty = Array.isArray(body[named]) && body[named].length === 0;
  const others = arrays.filter((name) => name !== named && holdsObjects(body[name]));
  return isEmpty ? [named, ...others] : [named];
}

/**
 * Finds the items of a page. The name of the field that holds them is not shown: it is `pinned` where the user said so,
 * else `data`, `items`, one of the collection's names, or the only array of the page.
 */
function findItems(body: unknown, names: readonly string[], pinned: string | undefined): RawPage | Issue {
  if (!isRecord(body)) return { path: rootPath, expected: 'a page', received: 'something else' };
  const fields = pinned === undefined ? candidates(body, names) : [pinned];
  const [field] = fields;
  const items = field === undefined ? undefined : body[field];
  if (field === undefined || fields.length > 1 || !Array.isArray(items)) {
    const expected = pinned === undefined ? 'one array of items' : `an array in the field '${pinned}'`;
    const received = fields.length > 1 ? `${fields.length} arrays; set itemsField to the right one` : 'none';
    return { path: pinned ?? rootPath, expected, received };
  }
  const { has_more: hasMore, next_cursor: nextCursor } = body;
  return {
    field,
    items,
    hasMore: typeof hasMore === 'boolean' ? hasMore : undefined,
    nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined,
  };
}

/** Reads a page and checks each of its objects. */
export function readPage<T>(sent: Sent, holds: ExpectedPage<T>): PageBody<T> {
  const body = readJson(sent);
  const page = findItems(body, holds.plurals, sent.call.connection.forms.itemsField);
  if ('path' in page) return refuseBody(sent, [page], body);
  const { field, hasMore, nextCursor } = page;
  const items = page.items.map((item, index) => conform(sent, holds, item, body, `${field}[${index}]`));
  return { items, hasMore, nextCursor };
}
