import { defineErrorClass, type ErrorFields, type Outcome, withDefaults } from '../../base/errors.ts';
import type { WebHeaders } from '../../base/runtime/runtime.ts';
import { CallError } from './call-errors.ts';
import type { ErrorBody } from './error-body.ts';

/**
 * The service responded with a status other than 2xx. One without a class of its own is this class, and its `outcome` is `unknown`
 * (*inferred*) unless it is a 4xx that says with a readable code why: a redirect, a 408, a 402 without a readable code, and a status
 * that no standard defines. Default: 408.
 */
export class ApiError extends CallError {
  /** The HTTP status. */
  readonly status: number;
  #headers: WebHeaders | undefined;
  readonly #body: unknown;

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'ApiError', {
    status: 408,
    outcome: 'unknown',
    retryable: true,
  });

  /** Creates an error, for example in a test. */
  constructor(message: string, fields: ErrorFields<ApiError> = {}) {
    super(message, fields);
    const { status, headers, body } = withDefaults(this, fields);
    this.status = status ?? 408;
    this.#headers = headers;
    this.#body = body;
  }

  /** The response's headers. Not shown by `util.inspect` or `JSON.stringify`. */
  get headers(): WebHeaders {
    // Not in the constructor: `PaymentsError.from` also runs where there is no `Headers`, as in a workflow of Temporal.
    this.#headers ??= new Headers();
    return this.#headers;
  }

  /** The response's body: parsed if it was JSON, otherwise text. Not shown by `util.inspect` or `JSON.stringify`. */
  get body(): unknown {
    return this.#body;
  }
}

/** 400: the service rejected the parameters. */
export class BadRequestError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'BadRequestError', {
    status: 400,
    outcome: 'not_executed',
  });
}

/**
 * 401: the secret key is missing, wrong or revoked. For the form endpoint: the response rejects the `security_key`,
 * in any status (*inferred*).
 */
export class AuthenticationError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'AuthenticationError', {
    status: 401,
    outcome: 'not_executed',
  });
}

/**
 * 402 with a readable code: the service declined the payment (*inferred*: the interface does not show the response to a decline). A 402
 * without one is an `ApiError` of unknown outcome: a proxy may have sent it. The payment was
 * attempted: a failed charge and an event may exist. `outcome` is `not_executed` (*inferred*): with its key the service would have
 * repeated an earlier success. It is `unknown` if the first attempt was longer ago than `keyLifetime`.
 */
export class PaymentDeclinedError extends ApiError {
  /**
   * The service's reason, as in the `decline_code` of a charge; `undefined` if the response contains none (*inferred*: the
   * interface shows neither the values nor the place of the field).
   */
  readonly declineCode: string | undefined;
  /** The `declineCode`, or else the `code`; `undefined` without either. All declines share the name. */
  readonly declineReason: string | undefined;

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'PaymentDeclinedError', {
    status: 402,
    outcome: 'not_executed',
  });

  /** Creates an error, for example in a test. */
  constructor(message: string, fields: ErrorFields<PaymentDeclinedError> = {}) {
    super(message, fields);
    this.declineCode = fields.declineCode;
    this.declineReason = fields.declineReason ?? this.declineCode ?? this.code;
  }
}

/** 403: this key is not allowed to make this call. */
export class PermissionError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'PermissionError', {
    status: 403,
    outcome: 'not_executed',
  });
}

/** 404: there is no such object. If the method's path is inferred, perhaps there is no such path. */
export class NotFoundError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'NotFoundError', {
    status: 404,
    outcome: 'not_executed',
  });
}

/** 409: the object's state does not allow this call. Without a readable code, `outcome` is `unknown` (*inferred*). */
export class ConflictError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'ConflictError', {
    status: 409,
    outcome: 'not_executed',
  });
}

/** 422: the service understood the request and rejected it. If the body is not JSON, `outcome` is `unknown` (*inferred*). */
export class UnprocessableError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'UnprocessableError', {
    status: 422,
    outcome: 'not_executed',
  });
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'RateLimitError', {
    status: 429,
    outcome: 'not_executed',
    retryable: true,
  });
}

/** 5xx: the service failed. */
export class ServerError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'ServerError', {
    status: 500,
    outcome: 'unknown',
    retryable: true,
  });
}

/** The service rejected the request because of its idempotency key. Each reason has its own class. */
export class IdempotencyError extends ApiError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'IdempotencyError', {
    status: 422,
    outcome: 'unknown',
  });
}

/** `IDEMPOTENCY_KEY_TOO_LONG`: the key has more than 255 characters. */
export class IdempotencyKeyTooLongError extends IdempotencyError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'IdempotencyKeyTooLongError',
    {
      status: 400,
      code: 'IDEMPOTENCY_KEY_TOO_LONG',
      outcome: 'not_executed',
    },
  );
}

/**
 * `IDEMPOTENCY_KEY_IN_PROGRESS`: another call with this key is still running. `outcome` is `unknown`, since the other call
 * may take effect. Call again with the same `operationId` to get its result.
 */
export class IdempotencyKeyInProgressError extends IdempotencyError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'IdempotencyKeyInProgressError',
    {
      status: 409,
      code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
      outcome: 'unknown',
      retryable: true,
    },
  );
}

/**
 * `IDEMPOTENCY_BODY_MISMATCH`: the key was used before with other parameters. `outcome` is `unknown`: find out what that
 * request did.
 */
export class IdempotencyBodyMismatchError extends IdempotencyError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'IdempotencyBodyMismatchError',
    {
      status: 422,
      code: 'IDEMPOTENCY_BODY_MISMATCH',
      outcome: 'unknown',
    },
  );
}

/**
 * `IDEMPOTENCY_ROUTE_CONFLICT`: the key was used before on another endpoint. `outcome` is `unknown`: find out what that
 * request did.
 */
export class IdempotencyRouteConflictError extends IdempotencyError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'IdempotencyRouteConflictError',
    {
      status: 422,
      code: 'IDEMPOTENCY_ROUTE_CONFLICT',
      outcome: 'unknown',
    },
  );
}

/** `IDEMPOTENCY_STORE_UNAVAILABLE`: the service could not check the key, so it did nothing (*inferred*). */
export class IdempotencyStoreUnavailableError extends IdempotencyError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'IdempotencyStoreUnavailableError',
    {
      status: 503,
      code: 'IDEMPOTENCY_STORE_UNAVAILABLE',
      outcome: 'not_executed',
      retryable: true,
    },
  );
}

/** What an error response stands for. */
interface Kind {
  readonly type: new (message: string, fields?: ErrorFields<PaymentDeclinedError>) => ApiError;
  /** What a message leads with. */
  readonly lead: string;
  /** The status that it comes with (*shown* for a code of the interface). */
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  /** What to do next, if the code proves an earlier request with the same key. */
  readonly advice?: string | undefined;
}

function kind(type: Kind['type'], lead: string, advice?: string): Kind {
  const { status, code } = new type(lead);
  return { type, lead, status, code, advice };
}

const usedBefore = 'The idempotency key was used before';

/** Every class that has a status of its own. A class by status comes before those by code. */
const kinds: readonly Kind[] = [
  /* @__PURE__ */ kind(BadRequestError, 'The service rejected the parameters'),
  /* @__PURE__ */ kind(AuthenticationError, 'The service rejected the key'),
  /* @__PURE__ */ kind(PaymentDeclinedError, 'Card declined'),
  /* @__PURE__ */ kind(PermissionError, 'The key is not allowed to make this call'),
  /* @__PURE__ */ kind(NotFoundError, 'Not found'),
  /* @__PURE__ */ kind(ConflictError, 'Conflict'),
  /* @__PURE__ */ kind(UnprocessableError, 'The service refused the request'),
  /* @__PURE__ */ kind(RateLimitError, 'Too many requests'),
  /* @__PURE__ */ kind(ServerError, 'The service failed'),
  /* @__PURE__ */ kind(IdempotencyError, usedBefore),
  /* @__PURE__ */ kind(IdempotencyKeyTooLongError, 'The idempotency key is too long'),
  /* @__PURE__ */ kind(
    IdempotencyKeyInProgressError,
    'Another call with this idempotency key is in progress',
  ),
  /* @__PURE__ */ kind(
    IdempotencyBodyMismatchError,
    usedBefore,
    'An earlier call with this operationId or key had other parameters: look at what it did. A corrected amount or another card is a new operation, so give it a new operationId.',
  ),
  /* @__PURE__ */ kind(
    IdempotencyRouteConflictError,
    usedBefore,
    'An earlier call used this key on another endpoint: look at what it did before you choose another key.',
  ),
  /* @__PURE__ */ kind(IdempotencyStoreUnavailableError, 'The service cannot check idempotency keys now'),
];

/** The codes of the interface. */
export const idempotencyErrors: ReadonlyMap<string, Kind> = /* @__PURE__ */ (() =>
  new Map(kinds.flatMap((kind) => (kind.code === undefined ? [] : [[kind.code, kind]]))))();

/**
 * Returns what a response other than 2xx is. A code of the interface counts only with its own status.
 *
 * @param refusal `hasCode` says whether the service itself gives a reason: a proxy answers 402 too, and declines no payment.
 * @param reason The reason of a decline.
 */
export function kindOf({ status, code, hasCode }: Refusal, reason?: string): Kind {
  const byCode = idempotencyErrors.get(code ?? '');
  if (byCode?.status === status) return byCode;
  const byStatus = kinds.find((kind) => kind.status === Math.min(status, 500));
  const isDecline = status === 402;
  // A code about the key says nothing of a card.
  if (byStatus === undefined || (isDecline && (!hasCode || byCode !== undefined)))
    return { type: ApiError, lead: `Unexpected response (${status})` };
  const detail = isDecline ? reason : status >= 500 ? status : undefined;
  return detail === undefined ? byStatus : { ...byStatus, lead: `${byStatus.lead} (${detail})` };
}

/** Returns what to do if a code proves an earlier request with the same key, and the call may have taken effect. */
export function adviceOnKey(code: string | undefined, outcome: Outcome): string | undefined {
  return outcome === 'unknown' ? idempotencyErrors.get(code ?? '')?.advice : undefined;
}

/** Whether a code, in whatever status it comes, proves an earlier request with the same key that this one does not repeat. */
function provesEarlierRequest(code: string | undefined): boolean {
  return idempotencyErrors.get(code ?? '')?.advice !== undefined;
}

/** The facts that judge a response other than 2xx. */
interface Refusal extends Pick<ErrorBody, 'code' | 'isJson'> {
  readonly status: number;
  /** Whether a field for codes says why, in words that are neither the status nor sent by the call itself. */
  readonly hasCode: boolean;
  readonly isKeyed: boolean;
}

/** The last 4xx status that a standard defines. Proxies invent others, which prove nothing. */
const lastStandardRefusal = 451;

/**
 * Whether the service, or something before it, refused the request. A 408 may come after the request was passed on, and a proxy may answer 402
 * or 409 in place of a result. An unreadable code may have been one that proves an earlier request.
 */
function isRefusal({ status, hasCode, isJson }: Refusal): boolean {
  if (status < 400 || status >= 500 || status === 408) return false;
  if (status === 402 || status === 409 || status > lastStandardRefusal) return hasCode;
  return status !== 422 || hasCode || isJson;
}

/**
 * Returns what a response other than 2xx proves about a call that is not a read (*inferred*, but for the codes of the interface). Only a code in a code field, with the status
 * of the interface, is proof; a word in a text may be an echo.
 */
export function outcomeOf(refusal: Refusal): Outcome {
  const { status, code, hasCode } = refusal;
  if (code === 'IDEMPOTENCY_KEY_IN_PROGRESS' || provesEarlierRequest(code)) return 'unknown';
  if (code === 'IDEMPOTENCY_STORE_UNAVAILABLE' && hasCode && status === 503) return 'not_executed';
  return isRefusal(refusal) ? 'not_executed' : 'unknown';
}

/** Whether a retry may succeed, if it is safe. */
export function mayPass({ status, code, hasCode, isKeyed }: Refusal): boolean {
  if (provesEarlierRequest(code)) return false;
  // An unreadable 409 to a key may say that another request with the key is in progress.
  if (status === 409) return code === 'IDEMPOTENCY_KEY_IN_PROGRESS' || (isKeyed && !hasCode);
  return status === 408 || status === 429 || status >= 500;
}
