import { adviceFor, type CallFacts, defineErrorClass, PaymentsError } from './errors.ts';
import type { Outcome } from './outcome.ts';
import type { WebHeaders } from './web-types.ts';

/** What an {@link ApiError} is made from. */
export interface ApiErrorFields extends CallFacts {
  readonly status: number;
  readonly code: string | undefined;
  /** What the service said, already free of secrets. */
  readonly detail: string | undefined;
  readonly outcome: Outcome;
  readonly requestId: string | undefined;
  readonly headers: WebHeaders;
  readonly body: unknown;
  /** Seconds that the service asked to wait, or `undefined`. */
  readonly retryAfter: number | undefined;
  /** A sentence for this failure alone, such as how to correct an inferred path. */
  readonly hint: string | undefined;
}

/** The service answered with a status other than 2xx. */
export class ApiError extends PaymentsError {
  /** The HTTP status. */
  readonly status: number;
  /** How many attempts were made. */
  readonly attempts: number;
  /** The idempotency key that every attempt carried, or `undefined`. */
  readonly idempotencyKey: string | undefined;
  readonly #headers: WebHeaders;
  readonly #body: unknown;

  static {
    defineErrorClass(this, 'ApiError');
  }

  /** @internal */
  constructor(fields: ApiErrorFields) {
    const came = [String(fields.status), fields.code].filter(Boolean).join(' ');
    // The service's own full stop would come before ours.
    const said = fields.detail === undefined ? '' : `: ${fields.detail.replace(/(?<!\.)\.+$/, '')}`;
    const sentences = [`${fields.operation}: expected a 2xx response, got ${came}${said}.`, fields.hint];
    super([...sentences, adviceFor(fields.outcome, fields)].filter(Boolean).join(' '), fields);
    this.status = fields.status;
    this.attempts = fields.attempts;
    this.idempotencyKey = fields.idempotencyKey;
    this.#headers = fields.headers;
    this.#body = fields.body;
  }

  /** The response's headers. Not shown by `util.inspect` or `JSON.stringify`. */
  get headers(): WebHeaders {
    return this.#headers;
  }

  /** The response's body: parsed where it was JSON, else text. Not shown by `util.inspect` or `JSON.stringify`. */
  get body(): unknown {
    return this.#body;
  }

  /** What `JSON.stringify` shows: never a body, a header or a cause. */
  override toJSON(): Record<string, unknown> {
    const { status, attempts, idempotencyKey } = this;
    return { ...super.toJSON(), status, attempts, idempotencyKey };
  }
}

/** 400: the service refused the parameters. */
export class BadRequestError extends ApiError {
  static {
    defineErrorClass(this, 'BadRequestError');
  }
}

/** 401: the secret key is missing, wrong, or was withdrawn. */
export class AuthenticationError extends ApiError {
  static {
    defineErrorClass(this, 'AuthenticationError');
  }
}

/** 403: the key may not do this. */
export class PermissionError extends ApiError {
  static {
    defineErrorClass(this, 'PermissionError');
  }
}

/** 404: there is no such object, or, where the method's path is inferred, no such path. */
export class NotFoundError extends ApiError {
  static {
    defineErrorClass(this, 'NotFoundError');
  }
}

/** 409: the object's state does not allow this. */
export class ConflictError extends ApiError {
  static {
    defineErrorClass(this, 'ConflictError');
  }
}

/** 422: the request was understood and refused. */
export class UnprocessableError extends ApiError {
  static {
    defineErrorClass(this, 'UnprocessableError');
  }
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  /** Seconds that the service asked to wait (its `Retry-After`), or `undefined` where it did not say. */
  readonly retryAfter: number | undefined;

  static {
    defineErrorClass(this, 'RateLimitError');
  }

  /** @internal */
  constructor(fields: ApiErrorFields) {
    super(fields);
    this.retryAfter = fields.retryAfter;
  }
}

/** 5xx: the service failed. */
export class ServerError extends ApiError {
  static {
    defineErrorClass(this, 'ServerError');
  }
}

/** The service refused the request because of its idempotency key; each reason has a class of its own. */
export class IdempotencyError extends ApiError {
  static {
    defineErrorClass(this, 'IdempotencyError');
  }
}

/** `IDEMPOTENCY_KEY_TOO_LONG`: the key has more than 255 characters. */
export class IdempotencyKeyTooLongError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyKeyTooLongError');
  }
}

/**
 * `IDEMPOTENCY_KEY_IN_PROGRESS`: another call with this key is still running. The outcome is `unknown`, since
 * that other call may take effect: call again with the same `operationId` for its result.
 */
export class IdempotencyKeyInProgressError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyKeyInProgressError');
  }
}

/** `IDEMPOTENCY_BODY_MISMATCH`: the key was used before with other parameters. */
export class IdempotencyBodyMismatchError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyBodyMismatchError');
  }
}

/** `IDEMPOTENCY_ROUTE_CONFLICT`: the key was used before on another endpoint. */
export class IdempotencyRouteConflictError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyRouteConflictError');
  }
}

/** `IDEMPOTENCY_STORE_UNAVAILABLE`: the service could not check the key, so it did nothing. */
export class IdempotencyStoreUnavailableError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyStoreUnavailableError');
  }
}

type ApiErrorClass = new (fields: ApiErrorFields) => ApiError;

const classByCode = new Map<string, ApiErrorClass>([
  ['IDEMPOTENCY_KEY_TOO_LONG', IdempotencyKeyTooLongError],
  ['IDEMPOTENCY_KEY_IN_PROGRESS', IdempotencyKeyInProgressError],
  ['IDEMPOTENCY_BODY_MISMATCH', IdempotencyBodyMismatchError],
  ['IDEMPOTENCY_ROUTE_CONFLICT', IdempotencyRouteConflictError],
  ['IDEMPOTENCY_STORE_UNAVAILABLE', IdempotencyStoreUnavailableError],
]);

const classByStatus = new Map<number, ApiErrorClass>([
  [400, BadRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [422, UnprocessableError],
  [429, RateLimitError],
]);

/** The error for a status and a code; a known code says more than its status. */
export function createApiError(fields: ApiErrorFields): ApiError {
  const byCode = fields.code === undefined ? undefined : classByCode.get(fields.code);
  const byStatus = classByStatus.get(fields.status) ?? (fields.status >= 500 ? ServerError : ApiError);
  return new (byCode ?? byStatus)(fields);
}

/** What one answer other than 2xx says about the effect of a call that is not a read. */
export function outcomeOfStatus(status: number, code: string | undefined): Outcome {
  if (code === 'IDEMPOTENCY_STORE_UNAVAILABLE') return 'not_executed';
  if (code === 'IDEMPOTENCY_KEY_IN_PROGRESS') return 'unknown';
  return status >= 400 && status < 500 ? 'not_executed' : 'unknown';
}
