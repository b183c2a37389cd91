import type { Inline } from '../base/runtime/runtime.ts';
import type { AvsResult } from './codes/avs.ts';
import type { CvvResult } from './codes/cvv.ts';
import { bandOf, type RiskRecommendation, type RiskResult, riskDecisions } from './codes/risk.ts';
import { lookUp } from './codes/tables.ts';
import {
  readThreeDSecure,
  type ThreeDSecureFinding,
  type ThreeDSecureOutcome,
} from './codes/three-d-secure.ts';

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
export type FraudDecision = Inline<'accept' | 'retry' | 'review' | 'decline'>;

/** The check of a finding; `coverage` means whether any check had a result. */
type FraudCheck = 'response' | 'avs' | 'cvv' | 'risk' | 'three_d_secure' | 'coverage';

/** The finding, as a code for programs. */
export type FraudReasonCode = Inline<
  | 'not_approved'
  | 'status_unknown'
  | 'nothing_checked'
  | `avs_${'match' | 'partial_match' | 'no_match' | 'not_verified' | 'retry' | 'unknown_code' | 'missing'}`
  | `cvv_${'match' | 'mismatch' | 'unknown_code' | 'missing'}`
  | `risk_score_${'low' | 'monitor' | 'review' | 'verify' | 'verified' | 'decline'}`
  | `risk_decision_${'approve' | 'review' | 'decline' | 'unknown'}`
  | `risk_${'unreadable' | 'missing'}`
  | `three_d_secure_${'authenticated' | 'failed' | 'unavailable' | 'unfinished' | 'contradictory'}`
>;

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

/** Returns a finding. `what` is the finding in words. */
export function finding(
  check: FraudCheck,
  code: FraudReasonCode,
  what: string,
  recommendation: FraudDecision,
): FraudReason {
  return { code, check, what, recommendation };
}

/** Returns a code of the service for a message. It comes from outside, so a long or unusual code is not quoted. */
export function codeInWords(code: string): string {
  return /^\w{1,8}$/.test(code) ? code : `(${code.length} characters)`;
}

/** Returns the finding of an address check. Where the interface says "decline or review", it recommends a review. */
export function avsFinding(avs: AvsResult | undefined): FraudReason {
  if (avs === undefined) return finding('avs', 'avs_missing', 'no AVS result', 'accept');
  const { code, meaning, recommendation } = avs;
  const decision = recommendation === 'decline_or_review' ? 'review' : recommendation;
  return finding('avs', avsCodeOf(avs), `AVS ${codeInWords(code)}: ${meaning}`, decision);
}

function avsCodeOf({ source, recommendation, street, zip }: AvsResult): FraudReasonCode {
  if (source === 'unknown') return 'avs_unknown_code';
  if (recommendation === 'retry') return 'avs_retry';
  if (street === undefined && zip === undefined) return 'avs_not_verified';
  if (street === true && zip === true) return 'avs_match';
  return street === true || zip === true ? 'avs_partial_match' : 'avs_no_match';
}

/** Returns the finding of a security-code check. The interface calls a mismatch a fraud indicator. */
export function cvvFinding(cvv: CvvResult | undefined): FraudReason {
  if (cvv === undefined) return finding('cvv', 'cvv_missing', 'no CVV result', 'accept');
  const what = `CVV ${codeInWords(cvv.code)}: ${cvv.meaning}`;
  if (cvv.matched === true) return finding('cvv', 'cvv_match', what, 'accept');
  if (cvv.matched === false) return finding('cvv', 'cvv_mismatch', what, 'decline');
  return finding('cvv', 'cvv_unknown_code', what, 'review');
}

/** Returns the findings of the fraud scoring: of the score, of the decision, or that there is neither. */
export function riskFindings(risk: RiskResult | undefined, isVerified: boolean): FraudReason[] {
  if (risk === undefined) return [finding('risk', 'risk_missing', 'no risk score', 'accept')];
  const { score, decision } = risk;
  if (score === undefined && decision === undefined) {
    return [finding('risk', 'risk_unreadable', 'the risk score is not a number from 0 to 100', 'review')];
  }
  return [
    ...(score === undefined ? [] : [scoreFinding(score, isVerified)]),
    ...(decision === undefined ? [] : [decisionFinding(decision)]),
  ];
}

const scoreFindings: Readonly<Record<RiskRecommendation, readonly [FraudReasonCode, FraudDecision]>> = {
  approve: ['risk_score_low', 'accept'],
  approve_with_monitoring: ['risk_score_monitor', 'accept'],
  review: ['risk_score_review', 'review'],
  decline_or_verify: ['risk_score_verify', 'decline'],
  decline: ['risk_score_decline', 'decline'],
};

function scoreFinding(score: number, isVerified: boolean): FraudReason {
  const { recommendation: recommended, advice } = bandOf(score);
  if (recommended === 'decline_or_verify' && isVerified) {
    const what = `risk score ${score}: needs verification, and 3-D Secure authenticated the buyer`;
    return finding('risk', 'risk_score_verified', what, 'review');
  }
  const [code, decision] = scoreFindings[recommended];
  return finding('risk', code, `risk score ${score}: ${advice}`, decision);
}

function decisionFinding(decision: string): FraudReason {
  const word = lookUp(riskDecisions, decision);
  const what = `risk decision ${codeInWords(decision)}: ${word ?? 'not listed'}`;
  const recommendation = word === 'approve' ? 'accept' : (word ?? 'review');
  return finding('risk', `risk_decision_${word ?? 'unknown'}`, what, recommendation);
}

const authentications: Readonly<Record<ThreeDSecureFinding, readonly [what: string, FraudDecision]>> = {
  authenticated: ['3-D Secure authenticated the cardholder', 'accept'],
  failed: ['3-D Secure authentication failed, which is a high risk of fraud', 'decline'],
  unavailable: ['3-D Secure authentication was not available', 'review'],
  unfinished: ['the 3-D Secure challenge is not finished', 'retry'],
  contradictory: ['the fields of the 3-D Secure outcome contradict each other', 'review'],
};

/** Returns the finding of a 3-D Secure outcome. */
export function threeDSecureFinding(outcome: ThreeDSecureOutcome): FraudReason {
  const result = readThreeDSecure(outcome);
  return finding('three_d_secure', `three_d_secure_${result}`, ...authentications[result]);
}
