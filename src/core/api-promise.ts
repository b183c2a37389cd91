import type { WebHeaders } from './web-types.ts';

/** The response behind a call's result. */
export interface ResponseInfo {
  /** The HTTP status, 200 to 299. */
  readonly status: number;
  /** The response's headers. */
  readonly headers: WebHeaders;
  /** The response's request id, or `undefined` where it had none (*inferred*: `request-id`, `x-request-id`). */
  readonly requestId: string | undefined;
  /** The idempotency key that the request carried, or `undefined`. */
  readonly idempotencyKey: string | undefined;
  /** Whether this is the result of an earlier request with the same key (`Idempotent-Replayed`; *shown*). */
  readonly idempotentReplayed: boolean;
  /** How many attempts it took. */
  readonly attempts: number;
}

/** A call's result together with the response behind it. */
export interface WithResponse<T> {
  /** What the call alone would give. */
  readonly data: T;
  /** The response in which it came. */
  readonly response: ResponseInfo;
}

/** A call's result. What tells of the response is made for those who ask, since hardly anybody does. */
export interface Delivered<T> {
  readonly data: T;
  readonly describe: () => ResponseInfo;
}

/**
 * The promise of a call. Awaiting it gives the value; `.withResponse()` gives the response too.
 *
 * @example
 * const { data, response } = await payments.refunds.create(params, { operationId }).withResponse();
 * if (response.idempotentReplayed) console.log('this refund was made before');
 */
export class ApiPromise<T> implements Promise<T> {
  readonly #start: () => Promise<Delivered<T>>;
  #result: Promise<Delivered<T>> | undefined;

  /** The name that `Object.prototype.toString` shows. */
  get [Symbol.toStringTag](): string {
    return 'ApiPromise';
  }

  /**
   * @internal
   * @param start begins the call; run once, when the result is first asked for. A call that must begin at once
   *   hands over what is already under way.
   */
  constructor(start: () => Promise<Delivered<T>>) {
    this.#start = start;
  }

  /** The value, with the status, headers, keys and attempts of the response it came in. */
  withResponse(): Promise<WithResponse<T>> {
    return this.#deliver().then(({ data, describe }) => ({ data, response: describe() }));
  }

  /** Calls back with the value, or with what went wrong. */
  // biome-ignore lint/suspicious/noThenProperty: being awaitable is the point of the class
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    // Two steps, since the engine finds the caller's line for the stack of an error only through functions of its own.
    return this.#deliver()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  /** Calls back with what went wrong. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.then(undefined, onRejected);
  }

  /** Calls back when the call is over, whatever came of it. */
  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }

  #deliver(): Promise<Delivered<T>> {
    this.#result ??= this.#start();
    return this.#result;
  }
}
