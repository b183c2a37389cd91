import { optionIssues } from '../base/check-options.ts';
import { invalidRequest } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import type { Snapshot } from '../base/json.ts';
import { integerFrom, optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { issuesOf } from '../base/validation.ts';
import type { Api } from './api.ts';
import { ApiPromise, type Delivered } from './api-promise.ts';
import { Call, deliver } from './call.ts';
import { incompleteList } from './call-failures.ts';
import { listOptionsSchema } from './call-options.ts';
import { ItemIterator } from './item-iterator.ts';
import { checkListParams, type ListParams, listQuery } from './list-params.ts';
import type { ListOptions } from './options.ts';
import { type ExpectedPage, type PageBody, readPage } from './page-body.ts';
import { expectedBy } from './response.ts';
import type { Route } from './route.ts';
import { workThrough } from './work-through.ts';

/** A list: where its pages come from, and what they hold. Its parameters and options are copies, and each call checks them. */
export interface List<T> {
  readonly api: Api;
  readonly operation: string;
  readonly route: Route;
  readonly params: Snapshot;
  readonly options: Snapshot;
  readonly holds: ExpectedPage<T>;
}

/** Remembers on which page of a walk an item was first seen, for the newest items: in two generations, so that forgetting is cheap. */
export class RecentItems {
  readonly #size: number;
  #newer = new Map<string, number>();
  #older = new Map<string, number>();

  /** @param size How many items are remembered at least; at most twice as many are. */
  constructor(size = 100_000) {
    this.#size = size;
  }

  /** Returns the page of an item; `undefined` if it is new or forgotten. */
  pageOf(id: string): number | undefined {
    return this.#newer.get(id) ?? this.#older.get(id);
  }

  /** Adds a new item. */
  add(id: string, page: number): void {
    if (this.#newer.size >= this.#size) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(id, page);
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
  readonly steps: number;
  readonly leap: number;
}

/** Returns the trail of a walk that starts after an item, before its first page. */
export function beginTrail(startingAfter: string | undefined, recent = new RecentItems()): Trail {
  const anchor = { cursor: startingAfter, id: startingAfter };
  return { page: 0, recent, emptyPages: 0, anchor, steps: 0, leap: 1 };
}

function idOf(item: unknown): string | undefined {
  const id: unknown = Reflect.get(Object(item), 'id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** @throws PaginationError for an item that an earlier page of the walk has, or that this page has twice. */
function refuseRepeatedItems(
  operation: string,
  { page, recent, anchor }: Trail,
  items: readonly unknown[],
): void {
  const own = new Set<string>();
  for (const id of items.map(idOf)) {
    if (id === undefined) continue;
    const seenOn = recent.pageOf(id);
    if (id === anchor.id || own.has(id) || (seenOn ?? page) < page) {
      const problem = 'expected a page of items that did not come before, got one that repeats an item.';
      throw incompleteList(operation, 'REPEATED_ITEM', problem);
    }
    own.add(id);
    if (seenOn === undefined) recent.add(id, page);
  }
}

/**
 * Returns the trail after a page.
 *
 * @throws PaginationError for a page that repeats a cursor or an item, or that ends a long row of empty ones.
 */
export function follow(operation: string, trail: Trail, page: CheckedPage<unknown>): Trail {
  const { items, nextCursor } = page;
  const { anchor, steps, leap } = trail;
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
  if (steps + 1 < leap) return { ...next, steps: steps + 1 };
  const moved = { cursor: nextCursor, id: idOf(items.at(-1)) ?? anchor.id };
  return { ...next, anchor: moved, steps: 0, leap: leap * 2 };
}

/** One page of a list. It never changes; `nextPage()` returns a new page. */
export class Page<T> {
  /** The items, newest first. */
  readonly items: readonly T[];
  /** Whether there are more items after this page. The list is complete only when this is false. */
  readonly hasMore: boolean;
  /** The cursor of the next page; `undefined` on the last page. Store it, and pass it as `starting_after` to continue later. */
  readonly nextCursor: string | undefined;
  readonly #list: List<T>;
  readonly #trail: Trail;

  /** @internal */
  constructor(list: List<T>, body: CheckedPage<T>, trail: Trail) {
    this.items = body.items;
    this.hasMore = body.hasMore;
    this.nextCursor = body.nextCursor;
    this.#list = list;
    this.#trail = trail;
  }

  /** Returns the page after this one, or `undefined` when this is the last. */
  nextPage(): Promise<Page<T> | undefined> {
    return this.follow();
  }

  /** @internal */
  async follow(signal?: AbortSignal): Promise<Page<T> | undefined> {
    if (this.nextCursor === undefined) return undefined;
    const place = { cursor: this.nextCursor, trail: this.#trail };
    return (await loadPage(this.#list, place, signal)).data;
  }
}

interface CheckedPage<T> extends PageBody<T> {
  readonly hasMore: boolean;
}

/** Checks that a page says whether there is more and, if so, where. */
function checkPage<T>(operation: string, page: PageBody<T>): CheckedPage<T> {
  const { hasMore, nextCursor } = page;
  if (hasMore === undefined) {
    throw incompleteList(operation, 'MISSING_HAS_MORE', 'expected a page with has_more, got one without.');
  }
  if (hasMore && nextCursor === undefined) {
    const problem = 'expected a page with next_cursor since has_more is true, got one without.';
    throw incompleteList(operation, 'MISSING_CURSOR', problem);
  }
  // A cursor on the last page leads nowhere.
  return { ...page, hasMore, nextCursor: hasMore ? nextCursor : undefined };
}

/** Options of `forEach`. */
export interface ForEachOptions {
  /** How many items are processed at the same time; an integer from 1 to 1000. Default: 1. */
  readonly concurrency?: number | undefined;
}

const forEachOptions = optionsOf<ForEachOptions>({ concurrency: s.optional(integerFrom(1, 1000)) });

const toArrayOptions = optionsOf<{ readonly max: number }>({ max: integerFrom(1) });

/**
 * The promise that `list` returns. `await` gives the first page; `for await` gives every item of every page.
 *
 * The first page is requested immediately, and the first iteration uses it. Each further iteration starts again with a new
 * first page.
 *
 * `for await` fetches the next page while you process the second half of the current one, so at most two pages are in
 * memory, and the ids of the last 100,000 items (20 MB at most). With the option `prefetch: false`, it fetches a page only
 * when you need it.
 *
 * Reading a page throws a `PaginationError` if the service breaks the rules of pagination. So does a page that repeats one of
 * the last 100,000 items, a list that goes round in a longer circle, and a row of 100 empty pages. Items of earlier pages
 * were returned before.
 *
 * @example
 * for await (const product of payments.products.list({ limit: 100 })) console.log(product.id);
 */
export class PagePromise<T> extends ApiPromise<Page<T>> implements AsyncIterable<T> {
  readonly #list: List<T>;
  /** The first page, until an iteration takes it. */
  #begun: Promise<Page<T>> | undefined;

  /** @internal */
  constructor(list: List<T>) {
    const delivered = firstPage(list);
    super(delivered);
    this.#list = list;
    this.#begun = delivered.then(({ data }) => data);
    // Every reader of the page gets its failure; a list without readers must not count as unhandled.
    this.#begun.catch(() => {});
    this.catch(() => {});
  }

  /** Iterates over all items, newest first. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this.#items();
  }

  /** Iterates over all pages. Fetches the next page only when you ask for it. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> | undefined = await this.#first();
    while (page !== undefined) {
      yield page;
      page = await page.nextPage();
    }
  }

  /**
   * Returns the first `max` items, or all if there are fewer.
   *
   * @param options `max` is the maximum number of items to keep in memory; required, since a list may be longer than memory.
   * @throws InvalidRequestError when `max` is not an integer from 1.
   */
  async toArray(options: { readonly max: number }): Promise<T[]> {
    const given = { ...options };
    const issues = issuesOf(toArrayOptions, given);
    if (issues.length > 0) throw invalidRequest(`${this.#list.operation}.toArray`, issues, '');
    const { max } = given;
    const items: T[] = [];
    for await (const item of this.#items(max)) {
      if (items.push(item) >= max) break;
    }
    return items;
  }

  /**
   * Calls a function with every item, newest first, and waits for it. It fetches the next page only when another call can
   * start.
   *
   * If a call fails, no new call starts. `forEach` waits for the running calls, and then throws the first error.
   *
   * @throws InvalidRequestError when `concurrency` is not an integer from 1 to 1000; the function was not called.
   *
   * @example
   * const sync = async (customer: Customer) => { await crm.save(customer); };
   * await payments.customers.list({ limit: 100 }).forEach(sync, { concurrency: 8 });
   */
  async forEach(work: (item: T) => unknown, options: ForEachOptions = {}): Promise<void> {
    const given = { ...options };
    const { concurrency = 1 } = given;
    const issues = optionIssues('options', forEachOptions, given);
    if (typeof work !== 'function') {
      issues.push(issueAt('work', 'a function', work));
    }
    if (issues.length > 0) throw invalidRequest(`${this.#list.operation}.forEach`, issues, '');
    await workThrough(this.#items(), work, concurrency);
  }

  #items(max = Number.POSITIVE_INFINITY): ItemIterator<T> {
    return new ItemIterator({
      first: () => this.#first(),
      prefetch: optionsOfList(this.#list).prefetch ?? true,
      max,
    });
  }

  #first(): Promise<Page<T>> {
    const begun = this.#begun;
    this.#begun = undefined;
    return begun ?? firstPage(this.#list).then(({ data }) => data);
  }
}

/** Returns the options of a list, which its calls check. */
function optionsOfList({ options }: Pick<List<unknown>, 'options'>): ListOptions {
  return Object('value' in options ? options.value : undefined);
}

function firstPage<T>(list: List<T>): Promise<Delivered<Page<T>>> {
  return loadPage(list, undefined, undefined);
}

/** Where a page after the first begins. */
interface Place {
  readonly cursor: string;
  readonly trail: Trail;
}

function loadPage<T>(
  list: List<T>,
  place: Place | undefined,
  signal: AbortSignal | undefined,
): Promise<Delivered<Page<T>>> {
  const { api, operation, options } = list;
  const load = (withSignal: Snapshot) => {
    const call = new Call(api.connection, operation, withSignal);
    return call.settle(requestPage(call, list, place));
  };
  if (signal === undefined) return load(options);
  const given = optionsOfList(list);
  const own = given.signal;
  if (own === undefined) return load({ value: { ...given, signal } });
  // Not `AbortSignal.any`, which refuses signals of other classes.
  const either = new AbortController();
  const onAbort = () => either.abort((own.aborted ? own : signal).reason);
  for (const one of [own, signal]) one.addEventListener('abort', onAbort, { once: true });
  if (own.aborted || signal.aborted) onAbort();
  const release = () => own.removeEventListener('abort', onAbort);
  return load({ value: { ...given, signal: either.signal } }).finally(release);
}

function continued({ offset: _, ...kept }: ListParams, { cursor }: Place): ListParams {
  return { ...kept, starting_after: cursor };
}

async function requestPage<T>(
  call: Call,
  list: List<T>,
  place: Place | undefined,
): Promise<Delivered<Page<T>>> {
  const { api, operation, route, holds } = list;
  const options = call.check(listOptionsSchema);
  const params = checkListParams(operation, call.accept(list.params), api.connection.forms.maxLimit);
  const trail = place?.trail ?? beginTrail(params.starting_after);
  const { method, path, source } = route;
  const sent = await call.send({
    ...{ kind: 'json', method, path, route: path, isInferred: source === 'inferred' },
    query: listQuery(place === undefined ? params : continued(params, place)),
    credential: await call.credential('secretKey', api.secretKey, method),
    body: undefined,
  });
  const body = checkPage(operation, readPage(sent, expectedBy(options, holds)));
  return deliver(sent, new Page(list, body, follow(operation, trail, body)));
}
