import { describeValue } from '../base/describe.ts';
import { InvalidRequestError } from '../base/errors.ts';
import { integerIssues } from '../base/integer.ts';
import { unknownNameIssues } from '../base/unknown-names.ts';
import { ApiPromise, type Delivered } from './api-promise.ts';
import { PaginationError } from './call-errors.ts';
import { ItemIterator } from './item-iterator.ts';
import { workThrough } from './work-through.ts';

/** Parameters of a list in the cursor form, which every list takes. */
export interface CursorParams {
  /** How many items a page has at most; an integer from 1. Default: the service's, 20. */
  readonly limit?: number | undefined;
  /** Start strictly after the object with this id. Lists go from the newest to the oldest. */
  readonly starting_after?: string | undefined;
  /** Left out: the two forms cannot be combined. */
  readonly offset?: undefined;
}

/** Parameters of a list in the offset form. Its pages shift when objects are created meanwhile. */
export interface OffsetParams {
  /** How many items a page has at most; an integer from 1 to 100. Default: the service's, 20. */
  readonly limit?: number | undefined;
  /** How many items to skip; an integer from 0. Iteration goes on by cursor after the first page. */
  readonly offset: number;
  /** Left out: the two forms cannot be combined. */
  readonly starting_after?: undefined;
}

/** Parameters of a list: the cursor form or the offset form, never both. */
export type ListParams = CursorParams | OffsetParams;

/** One page of a list, as the service sent it. */
export interface PageBody<T> {
  readonly items: readonly T[];
  /** `undefined` where the page does not say. */
  readonly hasMore: boolean | undefined;
  /** `undefined` where the page gives none. */
  readonly nextCursor: string | undefined;
}

/** Fetches the page that these parameters ask for, once it is accepted; what `accept` throws ends the call. */
export type FetchPage<T> = <Accepted>(
  params: ListParams,
  signal: AbortSignal | undefined,
  accept: (page: PageBody<T>) => Accepted,
) => Promise<Delivered<Accepted>>;

/**
 * What a walk remembers of the cursors it followed, so that it ends even where the service leads it in a circle.
 *
 * It is Brent's way to find one: compare with an anchor that moves on at every power of two, so memory stays
 * constant however long the list is. Each page has its own trail, so fetching a page twice is no circle.
 */
interface Trail {
  readonly anchor: string | undefined;
  readonly steps: number;
  readonly leap: number;
}

function followCursor(operation: string, { anchor, steps, leap }: Trail, cursor: string): Trail {
  if (cursor === anchor) {
    const problem = 'expected a next_cursor that moves on, got one that was followed before.';
    throw new PaginationError(operation, 'CURSOR_DID_NOT_MOVE', problem);
  }
  return steps + 1 < leap ? { anchor, steps: steps + 1, leap } : { anchor: cursor, steps: 0, leap: leap * 2 };
}

/** One page of a list. It never changes; `nextPage()` gives another one. */
export class Page<T> {
  /** The items, newest first. */
  readonly items: readonly T[];
  /** Whether there are more items after this page. The list is complete only when this is false. */
  readonly hasMore: boolean;
  /** Where the next page starts, to be stored and passed as `starting_after`; `undefined` on the last page. */
  readonly nextCursor: string | undefined;
  readonly #next: (cursor: string, signal: AbortSignal | undefined) => Promise<Page<T>>;

  /** @internal */
  constructor(
    body: PageBody<T> & { hasMore: boolean },
    next: (cursor: string, signal: AbortSignal | undefined) => Promise<Page<T>>,
  ) {
    this.items = body.items;
    this.hasMore = body.hasMore;
    this.nextCursor = body.nextCursor;
    this.#next = next;
  }

  /** The page after this one, or `undefined` when this is the last. */
  nextPage(): Promise<Page<T> | undefined> {
    return this.follow();
  }

  /** @internal */
  async follow(signal?: AbortSignal): Promise<Page<T> | undefined> {
    return this.nextCursor === undefined ? undefined : this.#next(this.nextCursor, signal);
  }
}

/** The page, once it keeps the rules: it says whether there is more, and if so where. */
function checkPage<T>(operation: string, page: PageBody<T>): PageBody<T> & { hasMore: boolean } {
  const { hasMore, nextCursor } = page;
  if (hasMore === undefined) {
    throw new PaginationError(
      operation,
      'MISSING_HAS_MORE',
      'expected a page with has_more, got one without.',
    );
  }
  if (hasMore && nextCursor === undefined) {
    const problem = 'expected a page with next_cursor since has_more is true, got one without.';
    throw new PaginationError(operation, 'MISSING_CURSOR', problem);
  }
  // A cursor on the last page leads nowhere.
  return { ...page, hasMore, nextCursor: hasMore ? nextCursor : undefined };
}

const maxConcurrency = 1000;

/** How the items of a list are worked on. */
export interface ForEachOptions {
  /** How many may be worked on at the same time; an integer from 1 to 1000. Default: 1, one after the other. */
  readonly concurrency?: number | undefined;
}

/**
 * The promise of a list. Awaiting it gives the first page; `for await` gives every item of every page. The first page is asked for at
 * once, and is the one that the first iteration begins with; each further iteration starts anew.
 *
 * While the second half of a page is worked on, `for await` fetches the page after it, so that at most two pages are held;
 * the option `prefetch: false` makes it wait until the page is needed.
 *
 * @example
 * for await (const product of payments.products.list({ limit: 100 })) console.log(product.id);
 */
export class PagePromise<T> extends ApiPromise<Page<T>> implements AsyncIterable<T> {
  readonly #walk: Walk<T>;
  /** The first page, until an iteration takes it. */
  #begun: Promise<Page<T>> | undefined;

  /** @internal */
  constructor(walk: Walk<T>) {
    const delivered = firstPage(walk);
    super(delivered);
    this.#walk = walk;
    this.#begun = delivered.then(({ data }) => data);
    // Each of those who ask for the page hears of its failure; a list that nobody asks is no failure.
    this.#begun.catch(() => {});
    this.catch(() => {});
  }

  /** Every item, newest first. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this.#items();
  }

  /** Every page, the next one fetched only when it is asked for. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> | undefined = await this.#first();
    while (page !== undefined) {
      yield page;
      page = await page.nextPage();
    }
  }

  /**
   * The first `max` items, or all where there are fewer.
   *
   * @param options `max` is the most items to hold in memory; required, since a list may be longer than memory.
   * @throws InvalidRequestError when `max` is not an integer from 1.
   */
  async toArray(options: { readonly max: number }): Promise<T[]> {
    const max: unknown = options?.max;
    const missing = { path: 'max', expected: 'an integer from 1', received: 'nothing' };
    const issues = [
      ...unknownNameIssues('', Object(options), ['max']),
      ...(max === undefined ? [missing] : integerIssues('max', max, 1)),
    ];
    if (issues.length > 0) throw new InvalidRequestError(`${this.#walk.operation}.toArray`, issues);
    const items: T[] = [];
    for await (const item of this.#items(options.max)) {
      if (items.push(item) >= options.max) break;
    }
    return items;
  }

  /**
   * Calls a function with every item, newest first, and waits for it. A page is fetched only when the function has room for more.
   *
   * When a call fails, no further one begins; those under way are waited for, and then the first failure is thrown.
   *
   * @throws InvalidRequestError when `concurrency` is not an integer from 1 to 1000; the function was not called.
   *
   * @example
   * const sync = async (customer: Customer) => { await crm.save(customer); };
   * await payments.customers.list({ limit: 100 }).forEach(sync, { concurrency: 8 });
   */
  async forEach(work: (item: T) => unknown, options: ForEachOptions = {}): Promise<void> {
    const { concurrency = 1 } = options;
    const issues = [
      ...unknownNameIssues('options.', options, ['concurrency']),
      ...integerIssues('options.concurrency', concurrency, 1, maxConcurrency),
    ];
    if (typeof work !== 'function') {
      issues.push({ path: 'work', expected: 'a function', received: describeValue(work, 'work') });
    }
    if (issues.length > 0) throw new InvalidRequestError(`${this.#walk.operation}.forEach`, issues);
    await workThrough(this.#items(), work, concurrency);
  }

  #items(max = Number.POSITIVE_INFINITY): ItemIterator<T> {
    return new ItemIterator({ first: () => this.#first(), prefetch: this.#walk.prefetch, max });
  }

  #first(): Promise<Page<T>> {
    const begun = this.#begun;
    this.#begun = undefined;
    return begun ?? firstPage(this.#walk).then(({ data }) => data);
  }
}

/** How a list is walked. */
export interface Walk<T> {
  readonly operation: string;
  readonly params: ListParams;
  readonly prefetch: boolean;
  readonly fetchPage: FetchPage<T>;
}

function firstPage<T>(walk: Walk<T>): Promise<Delivered<Page<T>>> {
  const trail = { anchor: walk.params.starting_after, steps: 0, leap: 1 };
  return loadPage(walk, walk.params, trail, undefined);
}

async function loadPage<T>(
  walk: Walk<T>,
  params: ListParams,
  trail: Trail,
  signal: AbortSignal | undefined,
): Promise<Delivered<Page<T>>> {
  const { operation, fetchPage } = walk;
  const { data, describe } = await fetchPage(params, signal, (page) => {
    const body = checkPage(operation, page);
    const { nextCursor } = body;
    const after = nextCursor === undefined ? trail : followCursor(operation, trail, nextCursor);
    return { body, after };
  });
  const { body, after } = data;
  const next = async (cursor: string, signalOfNext: AbortSignal | undefined) => {
    const { offset: _, ...kept } = walk.params;
    return (await loadPage(walk, { ...kept, starting_after: cursor }, after, signalOfNext)).data;
  };
  return { data: new Page(body, next), describe };
}
