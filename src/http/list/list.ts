import { type Issue, invalidRequest } from '../../base/errors.ts';
import { issueAt, rootPath } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { integerFrom, optionsOf, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { conforms, issuesOf } from '../../base/schema/validation.ts';
import type { Call, Encoding, Returns } from '../call.ts';
import { incompleteList } from '../failure/call-errors.ts';
import { accept, noBody, withinParams } from '../request/arguments.ts';
import { conformAll, type Expected, readJson, refuseBody } from '../response.ts';

/** Parameters of a list that is paged by cursor. Every list accepts them. */
interface CursorParams {
  /**
   * The maximum number of items on a page; an integer from 1 (*inferred*). Default: the service chooses; the interface shows
   * its default only for lists that are paged by offset. Without a `limit`, the lists of API keys and webhook endpoints are
   * one complete page (*shown*).
   */
  limit?: number | undefined;
  /** The id of the object after which the page starts, without that object. Lists go from the newest to the oldest. */
  starting_after?: string | undefined;
  /** Must be absent: `offset` and `starting_after` cannot be combined. */
  offset?: undefined;
}

/** Parameters of a list that is paged by offset. Its pages shift if objects are created meanwhile. */
interface OffsetParams {
  /** The maximum number of items on a page; an integer from 1 (*inferred*) to 100. Default: the service's default, 20. */
  limit?: number | undefined;
  /** How many items to skip; an integer from 0. After the first page, iteration continues by cursor. */
  offset: number;
  /** Must be absent: `offset` and `starting_after` cannot be combined. */
  starting_after?: undefined;
}

/** Parameters of a list: paged by cursor or by offset, never by both. */
export type ListParams = CursorParams | OffsetParams;

const filterAdvice =
  'Nothing was sent. No filter is documented, and the service may ignore one: send it with payments.request({ method, path, query }).';

const cursorForm = /* @__PURE__ */ optionsOf<CursorParams>(() => ({
  limit: s.optional(integerFrom(1)),
  starting_after: s.optional(s.filled('an id')),
  offset: s.absent('no offset'),
}));

const offsetForm = /* @__PURE__ */ optionsOf<OffsetParams>(() => ({
  limit: s.optional(integerFrom(1, 100)),
  offset: integerFrom(0),
  // Refused together with `offset`.
  starting_after: unchecked(),
}));

const parameterNames = ['limit', 'starting_after', 'offset'];

/**
 * Returns the parameters of a list.
 *
 * @param maxLimit The greatest `limit` that the service is known to take.
 * @throws InvalidRequestError when a parameter is wrong.
 */
function checkListParams(operation: string, given: unknown, maxLimit?: number): ListParams {
  const params: ListParams = Object(given);
  const { limit, offset, starting_after: cursor } = params;
  const form: s.Schema<unknown> = offset === undefined ? cursorForm : offsetForm;
  const isBoth = offset !== undefined && cursor !== undefined;
  const isTooMany = offset === undefined && typeof limit === 'number' && limit > (maxLimit ?? limit);
  if (!isBoth && !isTooMany && conforms(form, given)) return params;
  const both = { path: 'offset', expected: 'either offset or starting_after', received: 'both' };
  const many = issueAt('limit', `an integer from 1 to ${maxLimit}`, limit);
  const issues = [...issuesOf(form, given), ...(isBoth ? [both] : []), ...(isTooMany ? [many] : [])];
  const isFilter = Object.keys(params).some((name) => !parameterNames.includes(name));
  throw invalidRequest(operation, issues, isFilter ? filterAdvice : undefined);
}

/**
 * The query of a list.
 *
 * @param cursor Where a page after the first begins.
 */
export function listEncoding(path: string, cursor: string | undefined): Encoding<unknown> {
  return {
    isKeyed: false,
    encode(copied, call) {
      const { operation, connection } = call;
      const given = accept(call, copied, withinParams);
      const params = checkListParams(operation, given, connection.forms.maxLimit);
      return { path, query: listQuery(params, cursor), body: noBody };
    },
  };
}

/**
 * Returns the query of a list with its question mark, or an empty string without parameters. Iteration that starts from an offset goes
 * on by cursor.
 */
function listQuery({ limit, offset, starting_after: start }: ListParams, cursor = start): string {
  const place = cursor === undefined ? { offset } : { starting_after: cursor };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ limit, ...place }))
    if (value !== undefined) query.append(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}

/** The content of a page. Its items may stand in a field with one of the collection's names. */
export interface ExpectedPage<T> extends Expected<T> {
  readonly plurals: readonly string[];
}

/** A page that says whether there is more and, if so, where. */
interface CheckedPage<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly nextCursor: string | undefined;
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
 * Finds the field with the items of a page. Its name is not shown: it is `pinned` where the user said so, else `data`, `items`, one of the
 * collection's names, or the only array of the page.
 */
function findItems(body: Record<string, unknown>, names: readonly string[], pinned?: string): Items | Issue {
  const fields = pinned === undefined ? candidates(body, names) : [pinned];
  const [field = ''] = fields;
  const items = body[field];
  if (fields.length === 1 && Array.isArray(items)) return { field, items };
  const expected = pinned === undefined ? 'one array of items' : `an array in the field '${pinned}'`;
  const received = fields.length > 1 ? `${fields.length} arrays; set itemsField to the right one` : 'none';
  return { path: pinned ?? rootPath, expected, received };
}

interface Items {
  readonly field: string;
  readonly items: readonly unknown[];
}

/** @throws PaginationError for a page that does not say whether there is more and, if so, where. */
function checkPage<T>(
  operation: string,
  items: readonly T[],
  { has_more: hasMore, next_cursor: cursor }: Record<string, unknown>,
): CheckedPage<T> {
  if (typeof hasMore !== 'boolean') {
    throw incompleteList(operation, 'MISSING_HAS_MORE', 'expected a page with has_more, got one without.');
  }
  // A cursor on the last page leads nowhere.
  if (!hasMore) return { items, hasMore, nextCursor: undefined };
  if (typeof cursor === 'string' && cursor !== '') return { items, hasMore, nextCursor: cursor };
  const problem = 'expected a page with next_cursor since has_more is true, got one without.';
  throw incompleteList(operation, 'MISSING_CURSOR', problem);
}

/** One reading of a page, which may be read again. */
interface Reading {
  readonly page: number;
}

/** Remembers where an item of a walk was last seen, for the newest items: in two generations, so that forgetting is cheap. */
export class RecentItems {
  readonly #size: number;
  #newer = new Map<string, Reading>();
  #older = new Map<string, Reading>();

  /** @param size How many items are remembered at least; at most twice as many are. */
  constructor(size = 100_000) {
    this.#size = size;
  }

  /** Adds an item. Returns whether this reading has it already, or an earlier page had it. */
  repeats(id: string, reading: Reading): boolean {
    const known = this.#newer.get(id) ?? this.#older.get(id);
    if (known !== undefined && (known === reading || known.page < reading.page)) return true;
    if (this.#newer.size >= this.#size) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(id, reading);
    return false;
  }
}

/** How many pages without an item may follow each other. */
const maxEmptyPages = 100;

/**
 * A page's place in a walk through a list, so that every walk ends, and returns no item twice.
 *
 * The ids of the newest items find a repetition at once. Brent's algorithm finds a circle that is longer: it compares with an
 * anchor that moves on at every power of two. So memory stays constant however long the list is. Each page has its own trail, so
 * fetching a page twice is no circle.
 */
interface Trail {
  readonly page: number;
  /** Shared by the pages of a walk. */
  readonly recent: RecentItems;
  readonly emptyPages: number;
  readonly anchor: { readonly cursor: string | undefined; readonly id: string | undefined };
}

/** Returns the trail of a walk that starts after an item, before its first page. */
export function beginTrail(startingAfter: string | undefined, recent = new RecentItems()): Trail {
  const anchor = { cursor: startingAfter, id: startingAfter };
  return { page: 0, recent, emptyPages: 0, anchor };
}

function idOf(item: unknown): string | undefined {
  const id = isRecord(item) ? item['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** @throws PaginationError for an item that an earlier page of the walk has, or that this page has twice. */
function refuseRepeatedItems(
  operation: string,
  { page, recent, anchor }: Trail,
  items: readonly unknown[],
): void {
  const reading = { page };
  for (const item of items) {
    const id = idOf(item);
    if (id !== undefined && (id === anchor.id || recent.repeats(id, reading))) {
      const problem = 'expected a page of items that did not come before, got one that repeats an item.';
      throw incompleteList(operation, 'REPEATED_ITEM', problem);
    }
  }
}

/**
 * Returns the trail after a page.
 *
 * @throws PaginationError for a page that repeats a cursor or an item, or that ends a long row of empty ones.
 */
export function follow(operation: string, trail: Trail, page: CheckedPage<unknown>): Trail {
  const { items, nextCursor } = page;
  const { anchor } = trail;
  if (nextCursor !== undefined && nextCursor === anchor.cursor) {
    const problem = 'expected a next_cursor that moves on, got one that was followed before.';
    throw incompleteList(operation, 'CURSOR_DID_NOT_MOVE', problem);
  }
  refuseRepeatedItems(operation, trail, items);
  const emptyPages = items.length === 0 ? trail.emptyPages + 1 : 0;
  if (page.hasMore && emptyPages >= maxEmptyPages) {
    const problem = `expected an item or the end of the list within ${maxEmptyPages} pages, got none.`;
    throw incompleteList(operation, 'EMPTY_PAGES', problem);
  }
  const next = { ...trail, page: trail.page + 1, emptyPages };
  const isPowerOfTwo = (next.page & trail.page) === 0;
  if (!isPowerOfTwo) return next;
  return { ...next, anchor: { cursor: nextCursor, id: idOf(items.at(-1)) ?? anchor.id } };
}

/** The walks, by what they remember, that have warned of a cursor. */
const warned = /* @__PURE__ */ new WeakSet<RecentItems>();

/**
 * Warns once in a walk of a cursor that is not the id of the last item, as the interface shows it: the next page may begin elsewhere. Names
 * no id, since it may be anything.
 */
function warnOfCursor(call: Call, { recent }: Trail, { items, nextCursor }: CheckedPage<unknown>): void {
  const lastId = idOf(items.at(-1));
  if (nextCursor === undefined || lastId === undefined || lastId === nextCursor || warned.has(recent)) return;
  warned.add(recent);
  const { operation, callId, connection } = call;
  const problem = 'expected next_cursor to be the id of the last item, got another value';
  const advice = 'The list goes on there. If items are missing, ask the service what its cursors are.';
  connection.observer.warn(`${operation}: ${problem}. ${advice}`, { callId, operation });
}

/** A page, and the trail of its walk after it. */
export interface WalkedPage<T> extends CheckedPage<T> {
  readonly trail: Trail;
}

/**
 * A page of a walk.
 *
 * @param trail Where the walk was before this page.
 */
export function returnedPage<T>(holds: ExpectedPage<T>, trail: Trail): Returns<WalkedPage<T>> {
  return {
    read(call, response) {
      const body = readJson(call, response);
      const { connection, operation } = call;
      if (!isRecord(body)) {
        const issue = { path: rootPath, expected: 'a page', received: 'something else' };
        return refuseBody(call, response, [issue], body);
      }
      const found = findItems(body, holds.plurals, connection.forms.itemsField);
      if ('path' in found) return refuseBody(call, response, [found], body);
      const items = conformAll(call, response, holds, found, body);
      const page = checkPage(operation, items, body);
      const next = follow(operation, trail, page);
      warnOfCursor(call, trail, page);
      return { ...page, trail: next };
    },
    judge: () => 'unknown',
  };
}
