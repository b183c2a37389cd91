import { invalidRequest } from '../../base/errors.ts';
import type { Snapshot } from '../../base/json.ts';
import { integerFrom, optionsOf } from '../../base/schema/options.ts';
import { issuesOf } from '../../base/schema/validation.ts';
import { eitherSignal } from '../../base/time.ts';
import { ApiPromise, type Delivered } from '../api-promise.ts';
import { listOptionsSchema, type RequestOptions } from '../client/options.ts';
import type { Api } from '../execute.ts';
import type { Route } from '../request/route.ts';
import {
  beginTrail,
  type ExpectedPage,
  type ListParams,
  listEncoding,
  returnedPage,
  type WalkedPage,
} from './list.ts';

/** A list: where its pages come from, and what they hold. Its parameters and options are copies, and each call checks them. */
interface List<T> {
  readonly api: Api;
  readonly operation: string;
  readonly route: Route;
  readonly params: Snapshot;
  readonly options: Snapshot;
  readonly holds: ExpectedPage<T>;
}

/** Requests the first page of a list, or the page after another. */
async function fetchPage<T>(
  list: List<T>,
  after?: WalkedPage<T>,
  stop?: AbortSignal,
): Promise<Delivered<WalkedPage<T>>> {
  const { api, operation, route, params, holds } = list;
  const { options, release } = stoppable(list.options, stop);
  try {
    return await api.execute(api.connection, {
      operation,
      movesMoney: false,
      route,
      params,
      encoding: listEncoding(route.path, after?.nextCursor),
      options,
      optionsSchema: listOptionsSchema,
      secret: { keyOption: 'secretKey', value: api.secretKey },
      returns: returnedPage(holds, after?.trail ?? beginTrail(startOf(params))),
      isWanted: () => stop?.aborted !== true,
    });
  } finally {
    release();
  }
}

interface Trace {
  readonly stack?: unknown;
}

/** Replaces the frames of an error by those that led to the request for its page. */
function showCaller(error: Error, { stack }: Trace): void {
  // `Error.prepareStackTrace` can make anything of a stack.
  const frames = typeof stack === 'string' ? stack.slice(stack.indexOf('\n    at ')) : '';
  if (frames.startsWith('\n')) error.stack = `${error.name}: ${error.message}${frames}`;
}

/** Returns the id after which a list starts. It is checked when the first page is requested. */
function startOf(params: Snapshot): string | undefined {
  const { starting_after: start }: ListParams = Object('value' in params ? params.value : undefined);
  return start;
}

interface Stoppable {
  readonly options: Snapshot;
  /** Stops listening to the caller's signal. */
  readonly release: () => void;
}

/** Adds to the options of a call a signal that stops it, beside the caller's. */
function stoppable(options: Snapshot, stop: AbortSignal | undefined): Stoppable {
  if (stop === undefined || !('value' in options)) return { options, release: () => {} };
  const given: RequestOptions = Object(options.value);
  const own = given.signal;
  if (own === undefined) return { options: { value: { ...given, signal: stop } }, release: () => {} };
  const { signal, release } = eitherSignal(own, stop);
  return { options: { value: { ...given, signal } }, release };
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
  readonly #walked: WalkedPage<T>;

  /** @internal */
  constructor(list: List<T>, walked: WalkedPage<T>) {
    this.items = walked.items;
    this.hasMore = walked.hasMore;
    this.nextCursor = walked.nextCursor;
    this.#list = list;
    this.#walked = walked;
  }

  /** Returns the page after this one, or `undefined` when this is the last. */
  async nextPage(): Promise<Page<T> | undefined> {
    if (this.nextCursor === undefined) return undefined;
    const { data } = await fetchPage(this.#list, this.#walked);
    return new Page(this.#list, data);
  }
}

const over = { done: true, value: undefined } as const;

/**
 * Iterates over every item of every page. Requests the next page when the second half of a page begins, so that work and waiting
 * overlap; holds at most these two pages. An item of the current page costs no more than a settled promise.
 */
class ItemIterator<T> implements AsyncIterableIterator<T, undefined> {
  readonly #list: List<T>;
  /** The most items that the caller wants. */
  readonly #max: number;
  /** The request for the next page. */
  #ahead: Promise<WalkedPage<T>> | undefined;
  readonly #stop = new AbortController();
  #page: WalkedPage<T> | undefined;
  /** The next item of the page. */
  #index = 0;
  #yielded = 0;
  /** Settles when the next page has arrived or failed. */
  #turning: Promise<void> | undefined;
  #isOver = false;

  /** @param first The first page, if it was requested already. */
  constructor(list: List<T>, first: Promise<WalkedPage<T>> | undefined, max: number) {
    this.#list = list;
    this.#ahead = first;
    this.#max = max;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    // Concurrent calls of `next` wait for the page in order; only the first gets its failure.
    if (this.#turning !== undefined) {
      const again = () => this.next();
      return this.#turning.then(again, again);
    }
    if (this.#isOver) return Promise.resolve(over);
    const page = this.#page;
    if (page === undefined || this.#index >= page.items.length) {
      if (page?.hasMore === false) return this.return();
      this.#turning = this.#turn();
      return this.#turning.then(() => this.next());
    }
    const value = page.items[this.#index] as T;
    this.#index += 1;
    this.#yielded += 1;
    this.#lookAhead(page);
    return Promise.resolve({ done: false, value });
  }

  /** Ends the iteration, and stops the request for the next page. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#isOver = true;
    this.#page = undefined;
    if (this.#ahead !== undefined) this.#stop.abort();
    return over;
  }

  #lookAhead(page: WalkedPage<T>): void {
    const left = page.items.length - this.#index;
    if (this.#ahead !== undefined || page.nextCursor === undefined) return;
    if (left >= page.items.length / 2 || this.#max - this.#yielded <= left) return;
    this.#ahead = this.#fetch();
    // `next` reports a failure when it reaches this page.
    this.#ahead.catch(() => {});
  }

  async #fetch(): Promise<WalkedPage<T>> {
    return (await fetchPage(this.#list, this.#page, this.#stop.signal)).data;
  }

  async #turn(): Promise<void> {
    try {
      const page = await (this.#ahead ?? this.#fetch());
      if (this.#isOver) return;
      this.#page = page;
      this.#index = 0;
    } catch (error) {
      this.#isOver = true;
      // A page that was fetched ahead failed before the caller waited for it.
      if (error instanceof Error) Error.captureStackTrace?.(error);
      throw error;
    } finally {
      this.#ahead = undefined;
      this.#turning = undefined;
    }
  }
}

const toArrayOptions = /* @__PURE__ */ optionsOf<{ readonly max: number }>(() => ({ max: integerFrom(1) }));

/**
 * The promise that `list` returns. `await` gives the first page; `for await` gives every item of every page.
 *
 * The first page is requested immediately, and the first iteration uses it. Each further iteration starts again with a new
 * first page.
 *
 * `for await` fetches the next page while you process the second half of the current one, so at most two pages are in
 * memory, and the ids of the last 100,000 items (20 MB at most).
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
  #begun: Promise<WalkedPage<T>> | undefined;

  /** @internal */
  constructor(list: List<T>) {
    // Two readers may wait for the first page, so V8 could not find the caller when it fails.
    const trace: Trace = {};
    Error.captureStackTrace?.(trace, PagePromise);
    const first = fetchPage(list).catch((error: unknown) => {
      if (error instanceof Error) showCaller(error, trace);
      throw error;
    });
    super(first.then(({ data, describe }) => ({ data: new Page(list, data), describe })));
    this.#list = list;
    this.#begun = first.then(({ data }) => data);
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
    const first = await (this.#takeFirst() ?? fetchPage(this.#list).then(({ data }) => data));
    for (let page: Page<T> | undefined = new Page(this.#list, first); page !== undefined; ) {
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

  #items(max = Number.POSITIVE_INFINITY): ItemIterator<T> {
    return new ItemIterator(this.#list, this.#takeFirst(), max);
  }

  #takeFirst(): Promise<WalkedPage<T>> | undefined {
    const begun = this.#begun;
    this.#begun = undefined;
    return begun;
  }
}
