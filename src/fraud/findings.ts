import type { AvsResult } from './avs.ts';
import type { CvvResult } from './cvv.ts';
import { codeInWords, type FraudDecision, type FraudReason, type FraudReasonCode } from './reason.ts';
import {
  bandOf,
  type RiskDecision,
  type RiskRecommendation,
  type RiskResult,
  riskDecisions,
} from './risk.ts';
import { readThreeDSecure, type ThreeDSecureFinding, type ThreeDSecureOutcome } from './three-d-secure.ts';

/** Returns the finding of an address check. Where the interface says "decline or review", it recommends a review. */
export function avsFinding(avs: AvsResult | undefined): FraudReason {
  if (avs === undefined) {
    return { code: 'avs_missing', check: 'avs', what: 'no AVS result', recommendation: 'accept' };
  }
  return {
    code: avsCodeOf(avs),
    check: 'avs',
    what: `AVS ${codeInWords(avs.code)}: ${avs.meaning}`,
    recommendation: avs.recommendation === 'decline_or_review' ? 'review' : avs.recommendation,
  };
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
  if (cvv === undefined) {
    return { code: 'cvv_missing', check: 'cvv', what: 'no CVV result', recommendation: 'accept' };
  }
  const [code, recommendation] = judgeCvv(cvv);
  return { code, check: 'cvv', what: `CVV ${codeInWords(cvv.code)}: ${cvv.meaning}`, recommendation };
}

function judgeCvv({ matched }: CvvResult): readonly [FraudReasonCode, FraudDecision] {
  if (matched === true) return ['cvv_match', 'accept'];
  return matched === false ? ['cvv_mismatch', 'decline'] : ['cvv_unknown_code', 'review'];
}

/** Returns the findings of the fraud scoring: of the score, of the decision, or that there is neither. */
export function riskFindings(risk: RiskResult | undefined, isVerified: boolean): FraudReason[] {
  const check = 'risk';
  if (risk === undefined) {
    return [{ code: 'risk_missing', check, what: 'no risk score', recommendation: 'accept' }];
  }
  const { score, decision } = risk;
  if (score === undefined && decision === undefined) {
    const what = 'the risk score is not a number from 0 to 100';
    return [{ code: 'risk_unreadable', check, what, recommendation: 'review' }];
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
    return { code: 'risk_score_verified', check: 'risk', what, recommendation: 'review' };
  }
  const [code, recommendation] = scoreFindings[recommended];
  return { code, check: 'risk', what: `risk score ${score}: ${advice}`, recommendation };
}

const decisionWords: Readonly<Record<string, (typeof riskDecisions)[RiskDecision]>> = riskDecisions;

function decisionFinding(decision: string): FraudReason {
  const word = Object.hasOwn(decisionWords, decision) ? decisionWords[decision] : undefined;
  return {
    code: `risk_decision_${word ?? 'unknown'}`,
    check: 'risk',
    what: `risk decision ${codeInWords(decision)}: ${word ?? 'not listed'}`,
    recommendation: word === 'approve' ? 'accept' : (word ?? 'review'),
  };
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
  const finding = readThreeDSecure(outcome);
  const [what, recommendation] = authentications[finding];
  return { code: `three_d_secure_${finding}`, check: 'three_d_secure', what, recommendation };
}
