import {
  defineErrorClass,
  type ErrorFields,
  type Issue,
  PaymentsError,
  withDefaults,
} from '../base/errors.ts';

/** Adds the id of its call to an error. */
export function tieToCall(error: PaymentsError, callId: string): void {
  Object.assign(error, { callId });
}

/** An error of a call that may have been sent. */
export abstract class CallError extends PaymentsError {
  /** How many attempts were made, also those that could not connect. Default: 1. */
  readonly attempts: number;
  /** The idempotency key that every attempt carried, or `undefined`. */
  readonly idempotencyKey: string | undefined;

  /** Creates an error, for example in a test. */
  constructor(message: string, fields: ErrorFields<CallError> = {}) {
    super(message, fields);
    const { attempts, idempotencyKey } = withDefaults(this, fields);
    this.attempts = attempts ?? 1;
    this.idempotencyKey = idempotencyKey;
  }
}

/**
 * The service could not be reached, or the connection broke. Default: `NETWORK`, `unknown`, retryable.
 *
 * `code` is the runtime's code (`ECONNREFUSED`, `ECONNRESET`, …), or `NETWORK` if the runtime gives none. It is
 * `FETCH_THREW` if `fetch` failed before a response, for a reason other than the network; such a call is never retried.
 */
export class ConnectionError extends CallError {
  static {
    defineErrorClass(this, 'ConnectionError', { code: 'NETWORK', outcome: 'unknown', retryable: true });
  }
}

/** The limit that was reached. */
export type TimeoutCode = 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT' | 'WAIT_TIMEOUT';

/**
 * No complete response came in time. Default: `ATTEMPT_TIMEOUT`, `unknown`, retryable. `code` names the limit:
 *
 * - `ATTEMPT_TIMEOUT`: one attempt took longer than `timeout`;
 * - `TOTAL_TIMEOUT`: the whole call took longer than `totalTimeout`;
 * - `WAIT_TIMEOUT`: the object did not reach the state that `waitFor` waits for.
 */
export class TimeoutError extends CallError {
  static {
    defineErrorClass(this, 'TimeoutError', { code: 'ATTEMPT_TIMEOUT', outcome: 'unknown', retryable: true });
  }
}

/** The caller's `signal` was aborted. `cause` is the signal's reason. Default: `unknown`, retryable. */
export class RequestAbortedError extends CallError {
  static {
    defineErrorClass(this, 'RequestAbortedError', { code: 'ABORTED', outcome: 'unknown', retryable: true });
  }
}

/**
 * A 2xx response has an invalid body, which `body` contains. Default: `executed`, not retryable.
 *
 * For a call that moves money, `outcome` is `executed` if the body is JSON, complete or not. It is `unknown` for the form
 * endpoint, and for any other body, which may come from a login page, a proxy or a wrong `baseUrl`.
 */
export class ResponseValidationError extends CallError {
  /** The issues of the body. Default: none. */
  readonly issues: readonly Issue[];
  readonly #body: unknown;

  static {
    defineErrorClass(this, 'ResponseValidationError', { code: 'INVALID_RESPONSE', outcome: 'executed' });
  }

  /** Creates an error, for example in a test. */
  constructor(message: string, fields: ErrorFields<ResponseValidationError> = {}) {
    super(message, fields);
    this.issues = fields.issues ?? [];
    this.#body = fields.body;
  }

  /** The body: parsed if it was JSON, otherwise text. Not shown by `util.inspect` or `JSON.stringify`. */
  get body(): unknown {
    return this.#body;
  }
}

/**
 * A page breaks the rules of pagination, so the list cannot be read to its end. `code` says how:
 *
 * - `MISSING_HAS_MORE`: the page does not say whether there are more items;
 * - `MISSING_CURSOR`: there are more items, but no cursor leads to them;
 * - `CURSOR_DID_NOT_MOVE`: the cursor leads back to an earlier page;
 * - `REPEATED_ITEM`: the page repeats an item of this walk through the list;
 * - `EMPTY_PAGES`: 100 pages in a row have no item, and there are still more pages.
 */
export class PaginationError extends PaymentsError {
  static {
    defineErrorClass(this, 'PaginationError', { code: 'MISSING_HAS_MORE' });
  }
}
