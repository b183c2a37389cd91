import type { Outcome } from '../base/outcome.ts';
import { ApiError, type Kind, kinds } from './api-errors.ts';
import type { ErrorBody } from './error-body.ts';

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
