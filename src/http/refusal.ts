import type { Outcome } from '../base/outcome.ts';
import {
  ApiError,
  type ApiErrorFields,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  IdempotencyBodyMismatchError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  NotFoundError,
  PaymentDeclinedError,
  PermissionError,
  provesEarlierRequest,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from './api-errors.ts';
import type { ErrorBody } from './error-body.ts';

type ApiErrorClass = new (fields: ApiErrorFields) => ApiError;

/** The codes of the interface, each with the status that it comes with (*shown*). */
export const idempotencyErrors = new Map<string, readonly [status: number, ApiErrorClass]>([
  ['IDEMPOTENCY_KEY_TOO_LONG', [400, IdempotencyKeyTooLongError]],
  ['IDEMPOTENCY_KEY_IN_PROGRESS', [409, IdempotencyKeyInProgressError]],
  ['IDEMPOTENCY_BODY_MISMATCH', [422, IdempotencyBodyMismatchError]],
  ['IDEMPOTENCY_ROUTE_CONFLICT', [422, IdempotencyRouteConflictError]],
  ['IDEMPOTENCY_STORE_UNAVAILABLE', [503, IdempotencyStoreUnavailableError]],
]);

const classByStatus = new Map<number, ApiErrorClass>([
  [400, BadRequestError],
  [401, AuthenticationError],
  [402, PaymentDeclinedError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [422, UnprocessableError],
  [429, RateLimitError],
]);

/**
 * Makes the error for a status and a code. A code of the interface counts only with its own status.
 *
 * @param hasCode Whether the service itself says why. Only the service declines a payment: a proxy answers 402 too.
 */
export function createApiError(fields: ApiErrorFields, hasCode: boolean): ApiError {
  const { code = '', status } = fields;
  const [ownStatus, byCode] = idempotencyErrors.get(code) ?? [];
  // A code about the key says nothing of a card.
  if (status === 402 && (!hasCode || byCode !== undefined)) return new ApiError(fields);
  const byStatus = classByStatus.get(status) ?? (status >= 500 ? ServerError : ApiError);
  return new (byCode !== undefined && ownStatus === status ? byCode : byStatus)(fields);
}

/** The facts that judge a response other than 2xx. */
export interface Refusal extends Pick<ErrorBody, 'code' | 'isJson'> {
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
  // An unreadable 409 to a key may say that another request with the key is in progress.
  if (status === 409) return code === 'IDEMPOTENCY_KEY_IN_PROGRESS' || (isKeyed && !hasCode);
  return status === 408 || status === 429 || status >= 500;
}
