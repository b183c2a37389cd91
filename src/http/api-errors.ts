import { defineErrorClass, PaymentsError } from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';
import type { WebHeaders } from '../base/web-types.ts';
import { adviceFor, type CallFacts, mayBeRepeated } from './call-errors.ts';

/** The fields of an {@link ApiError}. */
export interface ApiErrorFields extends CallFacts {
  readonly status: number;
  /** The expected response. Default: a 2xx response. */
  readonly expected?: string | undefined;
  readonly code: string | undefined;
  /** The service's message, redacted. */
  readonly detail: string | undefined;
  readonly outcome: Outcome;
  readonly requestId: string | undefined;
  readonly headers: WebHeaders;
  readonly body: unknown;
  /** Seconds that the service asked to wait, or `undefined`. */
  readonly retryAfter: number | undefined;
  /** A sentence for this failure alone, such as how to correct an inferred path. */
  readonly hint: string | undefined;
  /** The service's reason for a decline, or `undefined`. */
  readonly declineCode: string | undefined;
  /** Whether the failure may be temporary. */
  readonly isTransient: boolean;
}

/** The codes that prove an earlier request with the same key, whose result counts. */
const proofsOfAnEarlierRequest = new Map([
  [
    'IDEMPOTENCY_BODY_MISMATCH',
    'An earlier call with this operationId or key had other parameters: look at what it did. A corrected amount or another card is a new operation, so give it a new operationId.',
  ],
  [
    'IDEMPOTENCY_ROUTE_CONFLICT',
    'An earlier call used this key on another endpoint: look at what it did before you choose another key.',
  ],
]);

/** Whether a code, in whatever status it comes, proves an earlier request with the same key that this one does not repeat. */
export function provesEarlierRequest(code: string | undefined): boolean {
  return code !== undefined && proofsOfAnEarlierRequest.has(code);
}

function adviceOf(fields: ApiErrorFields): string {
  const ofEarlier = proofsOfAnEarlierRequest.get(fields.code ?? '');
  return ofEarlier !== undefined && fields.outcome === 'unknown'
    ? ofEarlier
    : adviceFor(fields.outcome, fields);
}

/** The service responded with a status other than 2xx. */
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
    const received = [String(fields.status), fields.code].filter(Boolean).join(' ');
    // The service's own full stop would come before ours.
    const detail = fields.detail === undefined ? '' : `: ${fields.detail.replace(/(?<!\.)\.+$/, '')}`;
    const { isTransient, outcome, expected = 'a 2xx response' } = fields;
    const whole = detail.includes('…') ? 'The whole text is in error.body.' : undefined;
    const sentences = [
      `${fields.operation}: expected ${expected}, got ${received}${detail}.`,
      whole,
      fields.hint,
    ];
    super([...sentences, adviceOf(fields)].filter(Boolean).join(' '), {
      ...fields,
      retryable: isTransient && !provesEarlierRequest(fields.code) && mayBeRepeated(outcome, fields),
    });
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

  /** The response's body: parsed if it was JSON, otherwise text. Not shown by `util.inspect` or `JSON.stringify`. */
  get body(): unknown {
    return this.#body;
  }

  /** Returns what `JSON.stringify` shows: never a body, a header or a cause. */
  override toJSON(): Record<string, unknown> {
    const { status, attempts, idempotencyKey } = this;
    return { ...super.toJSON(), status, attempts, idempotencyKey };
  }
}

/** 400: the service rejected the parameters. */
export class BadRequestError extends ApiError {
  static {
    defineErrorClass(this, 'BadRequestError');
  }
}

/**
 * 401: the secret key is missing, wrong or revoked. For the form endpoint: the response rejects the `security_key`,
 * in any status (*inferred*).
 */
export class AuthenticationError extends ApiError {
  static {
    defineErrorClass(this, 'AuthenticationError');
  }
}

/**
 * 402 with a code: the service declined the payment (*inferred*: the interface does not show the response to a decline). A 402 without a
 * code, or with one that only repeats the status, is an `ApiError` of unknown outcome: a proxy may have sent it. The payment was
 * attempted: a failed charge and an event may exist. `outcome` is `not_executed` (*inferred*), unless an
 * earlier attempt of the call may have taken effect.
 */
export class PaymentDeclinedError extends ApiError {
  /**
   * The service's reason, as in the `decline_code` of a charge; `undefined` if the response contains none (*inferred*: the
   * interface shows neither the values nor the place of the field).
   */
  readonly declineCode: string | undefined;

  static {
    defineErrorClass(this, 'PaymentDeclinedError');
  }

  /** @internal */
  constructor(fields: ApiErrorFields) {
    super({ ...fields, expected: 'an approved payment' });
    this.declineCode = fields.declineCode;
  }

  /** Returns what `JSON.stringify` shows: never a body, a header or a cause. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), declineCode: this.declineCode };
  }
}

/** 403: this key is not allowed to make this call. */
export class PermissionError extends ApiError {
  static {
    defineErrorClass(this, 'PermissionError');
  }
}

/** 404: there is no such object. If the method's path is inferred, perhaps there is no such path. */
export class NotFoundError extends ApiError {
  static {
    defineErrorClass(this, 'NotFoundError');
  }
}

/** 409: the object's state does not allow this call. Without a readable code, `outcome` is `unknown` (*inferred*). */
export class ConflictError extends ApiError {
  static {
    defineErrorClass(this, 'ConflictError');
  }
}

/** 422: the service understood the request and rejected it. If the body is not JSON, `outcome` is `unknown` (*inferred*). */
export class UnprocessableError extends ApiError {
  static {
    defineErrorClass(this, 'UnprocessableError');
  }
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  static {
    defineErrorClass(this, 'RateLimitError');
  }
}

/** 5xx: the service failed. */
export class ServerError extends ApiError {
  static {
    defineErrorClass(this, 'ServerError');
  }
}

/** The service rejected the request because of its idempotency key. Each reason has its own class. */
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
 * `IDEMPOTENCY_KEY_IN_PROGRESS`: another call with this key is still running. `outcome` is `unknown`, since the other call
 * may take effect. Call again with the same `operationId` to get its result.
 */
export class IdempotencyKeyInProgressError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyKeyInProgressError');
  }
}

/**
 * `IDEMPOTENCY_BODY_MISMATCH`: the key was used before with other parameters. `outcome` is `unknown`: find out what that
 * request did.
 */
export class IdempotencyBodyMismatchError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyBodyMismatchError');
  }
}

/**
 * `IDEMPOTENCY_ROUTE_CONFLICT`: the key was used before on another endpoint. `outcome` is `unknown`: find out what that
 * request did.
 */
export class IdempotencyRouteConflictError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyRouteConflictError');
  }
}

/** `IDEMPOTENCY_STORE_UNAVAILABLE`: the service could not check the key, so it did nothing (*inferred*). */
export class IdempotencyStoreUnavailableError extends IdempotencyError {
  static {
    defineErrorClass(this, 'IdempotencyStoreUnavailableError');
  }
}
