// oxlint-disable-next-line no-unused-vars -- a doc comment links to it
import type { ConfigurationError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { maxTimer } from '../../base/numbers.ts';
import type { Inline, WebAbortSignal, WebRequest, WebResponse } from '../../base/runtime/runtime.ts';
import { type FieldsOf, integerFrom, optionsOf, timeFrom, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import type { KeyOptions } from '../request/idempotency.ts';
import type { BeforeCall } from './before-call.ts';
import type { Hooks } from './hooks.ts';

/** A function that sends one request. The SDK calls it with a `Request`. */
export type Fetch = (request: WebRequest) => Promise<WebResponse>;

/** The handling of a value that does not match its schema. */
export type Validation = Inline<'throw' | 'warn' | 'off'>;

/**
 * The options that every client takes: where the service is, and how calls are limited and observed.
 *
 * Invalid options throw {@link ConfigurationError}, which names all of them at once.
 */
export interface ConnectionOptions {
  /**
   * The base URL of the service, for example `https://payments.example.com`. Default: the environment variable
   * `PAYMENTS_BASE_URL`. There is no default host. It must be https, or a loopback host.
   */
  readonly baseUrl?: string | undefined;
  /** The time limit of one attempt, in ms: from sending the request to the last byte of the response body. Default: 30000. */
  readonly timeout?: number | undefined;
  /** The time limit of the whole call, in ms: all attempts, and the waits between them. The writes of a journal
   * come on top. Default: 120000. */
  readonly totalTimeout?: number | undefined;
  /** The maximum number of retries after the first attempt. Only a call that cannot act twice is retried. Default: 2. */
  readonly maxRetries?: number | undefined;
  /**
   * How many retries all calls of the client together may make before the service answers calls again, from 0 to 1,000,000. A retry takes one. A
   * call that the service answers gives a tenth back, up to the full budget; a 408, a 429, a 5xx, a time-out and a broken connection give none, nor
   * does time. While it is empty, no call is retried: each fails with its own error, and the hook `shed` is called. Default: 100.
   */
  readonly retryBudget?: number | undefined;
  /**
   * How many calls of the client may be under way at once, from 1 to 1,000,000. One more fails at once with a `ConnectionError` with the code
   * `TOO_MANY_CALLS`: nothing of it was sent or recorded, so call again later. The retrieval after a repeated call is never refused. Default: 1000.
   */
  readonly maxConcurrency?: number | undefined;
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Sends the requests, for example `sandbox.fetch`. It gets a `Request`. On Node the body of a sale can be read once, also through
   * clones, so that no wrapper sends it twice. Default: `node:http` on Node, the runtime's `fetch` elsewhere.
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Where log lines go: `console`, a pino or a winston logger. Default: no log. If the environment variable `PAYMENTS_DEBUG`
   * is `debug` (or `1`), `info`, `warn` or `error`, the default is the console, from that level on.
   */
  readonly logger?: Logger | undefined;
  /** Functions that observe the start and end of calls, requests, responses, retries and errors. */
  readonly hooks?: Hooks | undefined;
  /**
   * Is asked before each call is recorded or sent, and may refuse it: what it throws ends the call with a `CallRefusedError`. It is called once for
   * a call, whatever is retried, after the parameters were checked: for `operation.resume()` and `journal.plan` too, for each page of a list, and
   * for the retrieval that follows a repeat. The call waits for it within its `totalTimeout` and until its `signal` is aborted. If it returns
   * anything but `undefined`, such as `false`, the call ends with a `ConfigurationError`. Default: every call passes.
   *
   * @example
   * new PaymentsClient({
   *   beforeCall({ operation, params }) {
   *     if (operation === 'refunds.create' && !(Number(params['amount']) <= 5000)) throw new Error('more than 50.00');
   *   },
   * });
   */
  readonly beforeCall?: BeforeCall | undefined;
  /** Whether `http:` is accepted for hosts other than loopback, for example inside a private network. Default: false. */
  readonly allowInsecure?: boolean | undefined;
  /**
   * Whether a client may be created in a web page or in a worker of one. Visitors of the page can read the client's keys.
   * Default: false. Tests with jsdom or happy-dom on Node do not count as pages. Never use `transact` in a page: a browser
   * may send a request twice by itself.
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * What to do with parameters or responses that do not match their schema: `throw`, `warn` (log it, and use the value
   * unchanged) or `off`. Default: `throw`. The form endpoint's `type`, `amount` and `transactionid` are always checked. An `id` of
   * another kind, such as a charge's for `refunds.retrieve`, is refused before sending unless this is `off`.
   */
  readonly validation?: Validation | undefined;
}

/** Options of one call; they take precedence over those of the client. Invalid options throw `InvalidRequestError`. */
export interface RequestOptions {
  /** Aborts the call, which then throws a `RequestAbortedError`. */
  readonly signal?: WebAbortSignal | undefined;
  /** The time limit of one attempt, in ms: from sending the request to the last byte of the response body. */
  readonly timeout?: number | undefined;
  /** The time limit of the whole call, in ms. */
  readonly totalTimeout?: number | undefined;
  /** The maximum number of retries after the first attempt. Only a call that cannot act twice is retried. */
  readonly maxRetries?: number | undefined;
  /** More headers to send with this call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Names the business operation by your own id. */
interface ByOperationId {
  /**
   * Your own id of this business operation. Pass an id that you have stored before the call, such as the order id, and pass
   * the same id in every retry. Do not pass a new random id for each attempt.
   *
   * The SDK derives the idempotency key from it. A repeated call with the same id, even after a crash, returns the original
   * result and does not act twice, as long as the service remembers the key.
   */
  readonly operationId: string;
  /** Must be absent: the SDK derives the key from `operationId`. */
  readonly idempotencyKey?: undefined;
}

/** Names the business operation by your own idempotency key. */
interface ByIdempotencyKey {
  /**
   * The `Idempotency-Key` header, sent unchanged: 1 to 255 printable ASCII characters, without blanks at
   * the ends. Pass a key that you have stored
   * before the call, and pass the same key in every retry. A new key for each attempt can charge the buyer twice.
   *
   * If you have an id of your own, such as an order id, pass `operationId` instead.
   */
  readonly idempotencyKey: string;
  /** Must be absent: `idempotencyKey` already names the business operation. */
  readonly operationId?: undefined;
}

/** Options of a call that moves money: it must name its business operation. */
// The compiler's message is about the last of them, so that is the usual one.
export type WithOperationId = RequestOptions & (ByIdempotencyKey | ByOperationId);

/** Options that do not name a business operation. */
interface Unnamed {
  /** Must be absent. */
  readonly operationId?: undefined;
  /** Must be absent. */
  readonly idempotencyKey?: undefined;
}

/**
 * Options of a call that writes without moving money. It may name its business operation. Without a name, a POST gets an idempotency key for
 * this one call, so that its own retries act once; a second call acts again. Other verbs are retried only if it is certain that the request
 * was never sent.
 */
export type WriteOptions = RequestOptions & (ByOperationId | ByIdempotencyKey | Unnamed);

export type CallOptions = RequestOptions & KeyOptions;

export type Bounds = { readonly [Name in 'timeout' | 'totalTimeout' | 'maxRetries']: number };

export const boundsFields = () => ({
  timeout: s.optional(timeFrom(1, maxTimer)),
  totalTimeout: s.optional(timeFrom(1, maxTimer)),
  maxRetries: s.optional(integerFrom(0, 100)),
});

/** Compares shape, not class, since test runners and polyfills bring classes of their own. */
function isAbortSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('aborted' in value)) return false;
  return ['addEventListener', 'removeEventListener'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  );
}

export const requestOptionFields = (): FieldsOf<RequestOptions> => ({
  ...boundsFields(),
  signal: s.optional(s.custom<WebAbortSignal>(isAbortSignal, 'an AbortSignal')),
  headers: unchecked(),
});

export const callOptionsSchema = /* @__PURE__ */ optionsOf<CallOptions>(() => ({
  ...requestOptionFields(),
  // `chooseIdempotencyKey` checks these two.
  operationId: unchecked(),
  idempotencyKey: unchecked(),
}));

export const listOptionsSchema = /* @__PURE__ */ optionsOf<RequestOptions>(requestOptionFields);
