import type { ConfigurationError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { WebAbortSignal, WebRequest, WebResponse } from '../base/web-types.ts';
import type { Hooks } from './hooks.ts';

/** A function that sends one request. The SDK calls it with a `Request`. */
export type Fetch = (request: WebRequest) => Promise<WebResponse>;

/** The handling of a value that does not match its schema. */
export type Validation = 'throw' | 'warn' | 'off';

/**
 * The options that every client takes: where the service is, and how calls are limited and observed.
 *
 * Wrong options throw {@link ConfigurationError}, which names all of them at once.
 */
export interface ConnectionOptions {
  /**
   * Where the service is, for example `https://payments.example.com`. Default: the environment variable
   * `PAYMENTS_BASE_URL`. There is no default host. It must be https, or a loopback host.
   */
  readonly baseUrl?: string | undefined;
  /** Bound on one attempt, body included, in ms. Default: 30000. */
  readonly timeout?: number | undefined;
  /** Bound on the whole call, with all attempts and the waits between them, in ms. Default: 120000. */
  readonly totalTimeout?: number | undefined;
  /** How many more attempts may follow the first, where repeating is safe. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Sends the requests, for example `sandbox.fetch`. It gets a `Request`. Default: `node:http` on Node, the runtime's `fetch`
   * elsewhere.
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Where log lines go: `console`, a pino or a winston logger. Default: nowhere; the console, from a level on, where the environment
   * variable `PAYMENTS_DEBUG` is `debug` (or `1`), `info`, `warn` or `error`.
   */
  readonly logger?: Logger | undefined;
  /** Functions that observe the start and end of calls, requests, responses, retries and errors. */
  readonly hooks?: Hooks | undefined;
  /** Whether `http:` is accepted for hosts other than loopback, for example inside a private network. Default: false. */
  readonly allowInsecure?: boolean | undefined;
  /**
   * Whether a client may be made in a web page or a worker of one, whose visitors can read its keys. Default: false. Tests with jsdom or
   * happy-dom on Node do not count as pages. Never sell by `transact` in a page: a browser may send a form twice by itself.
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * What to do with parameters or responses that do not match their schema: `throw` (the default), `warn` (log it, and use the
   * value as it is) or `off`. The form endpoint's `type`, `amount` and `transactionid` are always checked.
   */
  readonly validation?: Validation | undefined;
}

/** Options of one call; they take precedence over those of the client. Wrong ones throw `InvalidRequestError`. */
export interface RequestOptions {
  /** Ends the call when it is aborted, with a `RequestAbortedError`. */
  readonly signal?: WebAbortSignal | undefined;
  /** Bound on one attempt, body included, in ms. */
  readonly timeout?: number | undefined;
  /** Bound on the whole call, in ms. */
  readonly totalTimeout?: number | undefined;
  /** How many more attempts may follow the first, where repeating is safe. */
  readonly maxRetries?: number | undefined;
  /** Headers to send with this call too. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether ids are checked by their prefix. An id of another kind, such as a charge's where a refund's is expected, is refused before
   * sending. A price, payment method, terminal or settlement profile of a response whose id has another prefix is a
   * `ResponseValidationError`. Default: true. `false` turns both off for one call; the ids in objects of all other collections are part
   * of their documented form, which `validation` checks.
   */
  readonly checkIds?: boolean | undefined;
}

/** Options of a list. */
export interface ListOptions extends RequestOptions {
  /**
   * Whether `for await` fetches the next page while the second half of the current one is processed. Default: true. `false` saves
   * the request for a page that is never reached, and holds one page at a time.
   */
  readonly prefetch?: boolean | undefined;
}

/** Names the business operation by the caller's own id. */
export interface ByOperationId {
  /**
   * Your own id of this business operation, such as the order id. The idempotency key is derived from it, so
   * repeating the call with the same id, even after a crash, gives the original result and not a second effect.
   */
  readonly operationId: string;
  /** Left out: the key is derived. */
  readonly idempotencyKey?: undefined;
}

/** Names the business operation by a ready idempotency key. */
export interface ByIdempotencyKey {
  /** The `Idempotency-Key` to send as it is: 1 to 255 printable ASCII characters. */
  readonly idempotencyKey: string;
  /** Left out: the key is given. */
  readonly operationId?: undefined;
}

/** Options of a call that moves money: it must name its business operation. */
// The compiler's message is about the last of them, so that is the usual one.
export type MoneyOptions = RequestOptions & (ByIdempotencyKey | ByOperationId);

/** Options that do not name a business operation. */
export interface Unnamed {
  /** Left out. */
  readonly operationId?: undefined;
  /** Left out. */
  readonly idempotencyKey?: undefined;
}

/**
 * Options of a call that writes without moving money. It may name its business operation; without a name it is
 * repeated only where it provably never left.
 */
export type WriteOptions = RequestOptions & (ByOperationId | ByIdempotencyKey | Unnamed);
