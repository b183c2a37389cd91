/**
 * What to do with a payment.
 *
 * - `accept`: continue.
 * - `retry`: a check has no result yet; repeat it.
 * - `review`: do not ship the order until a person has reviewed the payment.
 * - `decline`: do not ship the order.
 *
 * A decision is advice and moves no money. Void an approved transaction before you decline or retry it: otherwise a second
 * sale charges twice.
 */
export type FraudDecision = 'accept' | 'retry' | 'review' | 'decline';

/** The check of a finding; `coverage` means whether any check had a result. */
type FraudCheck = 'response' | 'avs' | 'cvv' | 'risk' | 'three_d_secure' | 'coverage';

/** The finding, as a code for programs. */
export type FraudReasonCode =
  | 'not_approved'
  | 'status_unknown'
  | 'nothing_checked'
  | `avs_${'match' | 'partial_match' | 'no_match' | 'not_verified' | 'retry' | 'unknown_code' | 'missing'}`
  | `cvv_${'match' | 'mismatch' | 'unknown_code' | 'missing'}`
  | `risk_score_${'low' | 'monitor' | 'review' | 'verify' | 'verified' | 'decline'}`
  | `risk_decision_${'approve' | 'review' | 'decline' | 'unknown'}`
  | `risk_${'unreadable' | 'missing'}`
  | `three_d_secure_${'authenticated' | 'failed' | 'unavailable' | 'unfinished' | 'contradictory'}`;

/** One finding, and the decision that it recommends. */
export interface FraudReason {
  /** The finding, as a code for programs. */
  readonly code: FraudReasonCode;
  /** The check of the finding. */
  readonly check: FraudCheck;
  /** The finding in words. Contains no card data. */
  readonly what: string;
  /** The decision that this finding alone recommends. */
  readonly recommendation: FraudDecision;
}

const strictness: Readonly<Record<FraudDecision, number>> = { accept: 0, retry: 1, review: 2, decline: 3 };

/** Compares two reasons for sorting, strictest first. */
export function byStrictness(a: FraudReason, b: FraudReason): number {
  return strictness[b.recommendation] - strictness[a.recommendation];
}

/** Returns a code of the service for a message. It comes from outside, so a long or unusual code is not quoted. */
export function codeInWords(code: string): string {
  return /^\w{1,8}$/.test(code) ? code : `(${code.length} characters)`;
}
