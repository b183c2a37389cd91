/** The abort reason of a page's request when the iteration stopped before that page. Not a failure. */
export const abandoned = new Error('the walk through the list ended before this page');

/** A page and the way to the one after it. */
interface LinkedPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | undefined;
  follow(signal?: AbortSignal): Promise<LinkedPage<T> | undefined>;
}

/** Where the pages of an iteration come from. */
export interface PageSource<T> {
  readonly first: () => Promise<LinkedPage<T>>;
  /** The most items that the caller wants. */
  readonly max: number;
}

const over = { done: true, value: undefined } as const;

/**
 * Iterates over every item of every page. Requests the next page when the second half of a page begins, so that work and waiting
 * overlap; holds at most these two pages. An item of the current page costs no more than a settled promise.
 */
export class ItemIterator<T> implements AsyncIterableIterator<T, undefined> {
  readonly #source: PageSource<T>;
  #page: LinkedPage<T> | undefined;
  /** The next item of the page. */
  #index = 0;
  #yielded = 0;
  /** The request for the page after the current one. */
  #ahead: { readonly page: Promise<LinkedPage<T> | undefined>; readonly stop: AbortController } | undefined;
  /** Settles when the next page has arrived or failed. */
  #turning: Promise<void> | undefined;
  #isOver = false;

  constructor(source: PageSource<T>) {
    this.#source = source;
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
      this.#turning = this.#turn();
      return this.#turning.then(() => this.next());
    }
    const value = page.items[this.#index] as T;
    this.#index += 1;
    this.#yielded += 1;
    this.#lookAhead(page);
    return Promise.resolve({ done: false, value });
  }

  /** Ends the iteration, and aborts the request for the next page. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#isOver = true;
    this.#page = undefined;
    this.#ahead?.stop.abort(abandoned);
    this.#ahead = undefined;
    return over;
  }

  #lookAhead(page: LinkedPage<T>): void {
    const { max } = this.#source;
    const left = page.items.length - this.#index;
    if (this.#ahead !== undefined || page.nextCursor === undefined) return;
    if (left >= page.items.length / 2 || max - this.#yielded <= left) return;
    const stop = new AbortController();
    this.#ahead = { page: page.follow(stop.signal), stop };
    // `next` reports a failure when it reaches this page.
    this.#ahead.page.catch(() => {});
  }

  async #turn(): Promise<void> {
    const { first } = this.#source;
    try {
      const page = await (this.#page === undefined ? first() : (this.#ahead?.page ?? this.#page.follow()));
      if (this.#isOver) return;
      this.#page = page;
      this.#index = 0;
      this.#isOver = page === undefined;
    } catch (error) {
      this.#isOver = true;
      throw error;
    } finally {
      this.#ahead = undefined;
      this.#turning = undefined;
    }
  }
}
