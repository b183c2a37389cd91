import type { ErrorFields } from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';
import {
  ApiError,
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
  RateLimitError,
  ServerError,
  UnprocessableError,
} from './api-errors.ts';
import type { ErrorBody } from './error-body.ts';

type ApiErrorClass = new (message: string, fields: ErrorFields<PaymentDeclinedError>) => ApiError;

/** The class of an error, and what its message leads with. */
export interface Kind {
  readonly type: ApiErrorClass;
  readonly lead: string;
}

interface CodeKind extends Kind {
  /** The status that the code comes with (*shown*). */
  readonly status: number;
  /** What to do next, if the code proves an earlier request with the same key. */
  readonly advice?: string;
}

/** The codes of the interface. */
export const idempotencyErrors: ReadonlyMap<string, CodeKind> = new Map<string, CodeKind>([
  [
    'IDEMPOTENCY_KEY_TOO_LONG',
    { status: 400, type: IdempotencyKeyTooLongError, lead: 'The idempotency key is too long' },
  ],
  [
    'IDEMPOTENCY_KEY_IN_PROGRESS',
    {
      status: 409,
      type: IdempotencyKeyInProgressError,
      lead: 'Another call with this idempotency key is in progress',
    },
  ],
  [
    'IDEMPOTENCY_BODY_MISMATCH',
    {
      status: 422,
      type: IdempotencyBodyMismatchError,
      lead: 'The idempotency key was used before',
      advice:
        'An earlier call with this operationId or key had other parameters: look at what it did. A corrected amount or another card is a new operation, so give it a new operationId.',
    },
  ],
  [
    'IDEMPOTENCY_ROUTE_CONFLICT',
    {
      status: 422,
      type: IdempotencyRouteConflictError,
      lead: 'The idempotency key was used before',
      advice:
        'An earlier call used this key on another endpoint: look at what it did before you choose another key.',
    },
  ],
  [
    'IDEMPOTENCY_STORE_UNAVAILABLE',
    {
      status: 503,
      type: IdempotencyStoreUnavailableError,
      lead: 'The service cannot check idempotency keys now',
    },
  ],
]);

const kinds: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [400, { type: BadRequestError, lead: 'The service rejected the parameters' }],
  [401, { type: AuthenticationError, lead: 'The service rejected the key' }],
  [403, { type: PermissionError, lead: 'The key is not allowed to make this call' }],
  [404, { type: NotFoundError, lead: 'Not found' }],
  [409, { type: ConflictError, lead: 'Conflict' }],
  [422, { type: UnprocessableError, lead: 'The service refused the request' }],
  [429, { type: RateLimitError, lead: 'Too many requests' }],
]);

/**
 * Returns what a response other than 2xx is. A code of the interface counts only with its own status.
 *
 * @param refusal `hasCode` says whether the service itself gives a reason: a proxy answers 402 too, and declines no payment.
 * @param reason The reason of a decline.
 */
export function kindOf({ status, code, hasCode }: Refusal, reason: string | undefined): Kind {
  const byCode = idempotencyErrors.get(code ?? '');
  if (byCode?.status === status) return byCode;
  if (status >= 500) return { type: ServerError, lead: `The service failed (${status})` };
  // A code about the key says nothing of a card.
  if (status === 402 && hasCode && byCode === undefined)
    return {
      type: PaymentDeclinedError,
      lead: reason === undefined ? 'Card declined' : `Card declined (${reason})`,
    };
  return kinds.get(status) ?? { type: ApiError, lead: `Unexpected response (${status})` };
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
  if (provesEarlierRequest(code)) return false;
  // An unreadable 409 to a key may say that another request with the key is in progress.
  if (status === 409) return code === 'IDEMPOTENCY_KEY_IN_PROGRESS' || (isKeyed && !hasCode);
  return status === 408 || status === 429 || status >= 500;
}
