import type { WebHeaders } from '../base/runtime/runtime.ts';

/** The response of a call. */
export interface ResponseInfo {
  /** The HTTP status, 200 to 299. */
  readonly status: number;
  /** The response's headers. */
  readonly headers: WebHeaders;
  /** The response's request id, or `undefined` if it had none (*inferred*: the header `request-id` or `x-request-id`). */
  readonly requestId: string | undefined;
  /** The idempotency key that the request carried, or `undefined`. */
  readonly idempotencyKey: string | undefined;
  /** Whether this is the result of an earlier request with the same key (`Idempotent-Replayed`; *shown*). */
  readonly idempotentReplayed: boolean;
  /** How many attempts were made; 0 if the result came from the journal. */
  readonly attempts: number;
  /** Whether the result came from the journal. If so, nothing was sent. */
  readonly fromJournal: boolean;
}

/** The result of a call with its response. */
export interface WithResponse<T> {
  /** The value of the call. */
  readonly data: T;
  /** The response that contained it. */
  readonly response: ResponseInfo;
}

/** A call's result. Response details are built lazily, since few callers read them. */
export interface Delivered<T> {
  readonly data: T;
  readonly describe: () => ResponseInfo;
  /** Returns the object as it is now. Absent if `data` is that, or nothing else can be had. Never rejects. */
  readonly present?: (() => Promise<T>) | undefined;
}

interface Described {
  describe: () => ResponseInfo;
  /** The result of an earlier call, in place of which the promise has the present object; `undefined` otherwise. */
  recorded: unknown;
  /** Whether the caller asked for the response, and so for the result that it contained. */
  wantsResponse: boolean;
}

const response = Symbol('response');

/** What a promise holds beside its type: a private member would keep a test from writing one by hand. */
interface Holding extends Promise<unknown> {
  [response]?: Described;
}

function hold(promise: Holding, held: Described): void {
  promise[response] = held;
}

/** Stands for a response until there is one. */
function notYet(): never {
  throw new Error('The call has no response yet.');
}

/**
 * Gives a class of promises what members named by a symbol would: bundlers would keep a class with such members, used or not. Node prints the
 * value of a promise, and the service may repeat card data in it, so another text stands there.
 */
function disguise(type: { readonly prototype: object }): boolean {
  const inspect = () => 'ApiPromise { await it for its value }';
  Object.defineProperty(type.prototype, Symbol.for('nodejs.util.inspect.custom'), { value: inspect });
  Object.defineProperty(type.prototype, Symbol.toStringTag, { value: 'ApiPromise' });
  // `then`, `catch` and `finally` return plain promises, without a response.
  Object.defineProperty(type, Symbol.species, { value: Promise });
  return true;
}

/**
 * The promise that a method returns. `await` gives the value; `.withResponse()` also gives the response.
 *
 * @example
 * const { data, response } = await payments.refunds.create(params, { operationId }).withResponse();
 * if (response.idempotentReplayed) console.log('this refund was made before');
 */
export class ApiPromise<T> extends Promise<T> {
  /** @internal */
  static readonly isDisguised: boolean = /* @__PURE__ */ disguise(this);

  /** @internal */
  constructor(delivered: Promise<Delivered<T>>) {
    const held: Described = { describe: notYet, recorded: undefined, wantsResponse: false };
    super((resolve, reject) => {
      const value = delivered.then(({ data, describe, present }) => {
        held.describe = describe;
        if (present === undefined || held.wantsResponse) return data;
        held.recorded = data;
        return present();
      });
      // V8 finds the caller's line only along a single row of promises, which its own functions link.
      value.then(resolve, reject);
    });
    hold(this, held);
  }

  /**
   * Returns the value with its response: status, headers, keys and attempts. The `data` of a repeated call is the recorded result, with the mark
   * that `isRecorded` reads: the object as it is now costs a request, which only the promise itself makes.
   */
  withResponse(): Promise<WithResponse<T>> {
    const { [response]: held }: Holding = this;
    if (held !== undefined) held.wantsResponse = true;
    return this.then((data) => ({
      // Recorded by the same call, so of the same type.
      data: held?.recorded === undefined ? data : (held.recorded as T),
      response: (held?.describe ?? notYet)(),
    }));
  }
}
