/**
 * What to do with a payment.
 *
 * - `accept`: go on.
 * - `retry`: a check gave no answer yet; make it again.
 * - `review`: hold it until a person has looked.
 * - `decline`: do not deliver.
 *
 * A decision is advice and moves no money. Void an approved transaction before you decline it or try it again: a second
 * sale without that charges twice.
 */
export type FraudDecision = 'accept' | 'retry' | 'review' | 'decline';

/** The check that a reason comes from; `coverage` says whether any check had a result. */
export type FraudCheck = 'response' | 'avs' | 'cvv' | 'risk' | 'three_d_secure' | 'coverage';

/** What was found, for a machine. */
export type FraudReasonCode =
  | 'not_approved'
  | 'status_unknown'
  | 'nothing_checked'
  | `avs_${'match' | 'partial_match' | 'no_match' | 'not_verified' | 'retry' | 'unknown_code' | 'missing'}`
  | `avs_${'acceptable' | 'not_acceptable' | 'international'}`
  | `cvv_${'match' | 'mismatch' | 'not_verified' | 'unknown_code' | 'missing'}`
  | `risk_score_${'low' | 'monitor' | 'review' | 'verify' | 'verified' | 'decline'}`
  | `risk_decision_${'approve' | 'review' | 'decline' | 'unknown'}`
  | `risk_${'unreadable' | 'missing'}`
  | `three_d_secure_${'authenticated' | 'failed' | 'unavailable' | 'unfinished' | 'contradictory'}`
  | `three_d_secure_${'exempt' | 'missing'}`;

/** One finding, and what it asks for. */
export interface FraudReason {
  /** What was found, for a machine. */
  readonly code: FraudReasonCode;
  /** Which check found it. */
  readonly check: FraudCheck;
  /** What was found, in words. It holds no card data. */
  readonly what: string;
  /** What this finding asks for under the policy. */
  readonly recommendation: FraudDecision;
}

const strictness: Readonly<Record<FraudDecision, number>> = { accept: 0, retry: 1, review: 2, decline: 3 };

/** Compares two reasons for sorting, the strictest first. */
export function byStrictness(a: FraudReason, b: FraudReason): number {
  return strictness[b.recommendation] - strictness[a.recommendation];
}

/** Returns the stricter of two decisions. */
export function stricter<T extends FraudDecision>(a: T, b: T): T {
  return strictness[a] >= strictness[b] ? a : b;
}

/** Returns a code of the service for a message. It comes from outside, so a long or odd one is not repeated. */
export function codeInWords(code: string): string {
  return /^\w{1,8}$/.test(code) ? code : `(${code.length} characters)`;
}
