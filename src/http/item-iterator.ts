/** Why the request for a page was given up: the walk through the list stopped before it. That is no failure. */
export const abandoned = new Error('the walk through the list ended before this page');

/** A page and the way to the one after it. */
interface LinkedPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | undefined;
  follow(signal?: AbortSignal): Promise<LinkedPage<T> | undefined>;
}

/** Where the pages of a walk come from. */
export interface PageSource<T> {
  readonly first: () => Promise<LinkedPage<T>>;
  /** Whether the next page is fetched while the current one is worked on. */
  readonly prefetch: boolean;
  /** How many items are wanted at most. */
  readonly max: number;
}

const over = { done: true, value: undefined } as const;

/**
 * Every item of every page. Once the second half of a page is begun, the page after it is on its way, so that work and waiting
 * overlap; never more than these two pages are held. An item that is there already costs no more than a settled promise.
 */
export class ItemIterator<T> implements AsyncIterableIterator<T, undefined> {
  readonly #source: PageSource<T>;
  #page: LinkedPage<T> | undefined;
  /** The next item of the page. */
  #index = 0;
  #taken = 0;
  /** The page after the current one, where it is on its way. */
  #ahead: { readonly page: Promise<LinkedPage<T> | undefined>; readonly stop: AbortController } | undefined;
  /** Settles when the next page is there, or cannot be had. */
  #turning: Promise<void> | undefined;
  #isOver = false;

  constructor(source: PageSource<T>) {
    this.#source = source;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    // Those who ask while a page is turned wait in line; its failure is told to the first one only.
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
    this.#taken += 1;
    this.#lookAhead(page);
    return Promise.resolve({ done: false, value });
  }

  /** Ends the walk. A page that is still on its way is given up. */
  async return(): Promise<IteratorResult<T, undefined>> {
    this.#isOver = true;
    this.#page = undefined;
    this.#ahead?.stop.abort(abandoned);
    this.#ahead = undefined;
    return over;
  }

  #lookAhead(page: LinkedPage<T>): void {
    const { prefetch, max } = this.#source;
    const left = page.items.length - this.#index;
    if (!prefetch || this.#ahead !== undefined || page.nextCursor === undefined) return;
    if (left >= page.items.length / 2 || max - this.#taken <= left) return;
    const stop = new AbortController();
    this.#ahead = { page: page.follow(stop.signal), stop };
    // A failure is told when its turn comes.
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
