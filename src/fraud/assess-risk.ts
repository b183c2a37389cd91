import type { CompleteRiskPolicy } from './policy-check.ts';
import { codeInWords, type FraudDecision, type FraudReason, type FraudReasonCode } from './reason.ts';
import { type RiskDecision, type RiskResult, riskDecisions } from './risk.ts';

/** Assesses the fraud scoring by a policy. */
export function assessRisk(
  risk: RiskResult | undefined,
  policy: CompleteRiskPolicy,
  isVerified: boolean,
): FraudReason[] {
  if (!policy.enabled) return [];
  const score = risk?.score;
  const decision = policy.followDecision ? risk?.decision : undefined;
  if (score === undefined && decision === undefined) return [assessNothing(risk, policy)];
  return [
    ...(score === undefined ? [] : [assessScore(score, policy, isVerified)]),
    ...(decision === undefined ? [] : [assessDecision(decision)]),
  ];
}

/** Distinguishes an unreadable score from a missing one, and from a decision that the policy does not follow. */
function assessNothing(risk: RiskResult | undefined, { missing }: CompleteRiskPolicy): FraudReason {
  if (risk === undefined || risk.decision !== undefined) {
    return { code: 'risk_missing', check: 'risk', what: 'no risk score', recommendation: missing };
  }
  const what = 'the risk score is not a number from 0 to 100';
  return { code: 'risk_unreadable', check: 'risk', what, recommendation: 'review' };
}

function assessScore(score: number, policy: CompleteRiskPolicy, isVerified: boolean): FraudReason {
  const [code, recommendation, advice] = judgeScore(score, policy, isVerified);
  return { code, check: 'risk', what: `risk score ${score}: ${advice}`, recommendation };
}

function judgeScore(
  score: number,
  { thresholds, verified, unverified }: CompleteRiskPolicy,
  isVerified: boolean,
): readonly [FraudReasonCode, FraudDecision, advice: string] {
  if (score >= thresholds.decline) return ['risk_score_decline', 'decline', 'decline'];
  if (score >= thresholds.verify) {
    return isVerified
      ? ['risk_score_verified', verified, 'needs verification, and 3-D Secure authenticated the buyer']
      : ['risk_score_verify', unverified, 'decline, or require verification'];
  }
  if (score >= thresholds.review) return ['risk_score_review', 'review', 'review before fulfilment'];
  if (score >= thresholds.monitor) return ['risk_score_monitor', 'accept', 'approve with monitoring'];
  return ['risk_score_low', 'accept', 'approve, process normally'];
}

const decisionWords: Readonly<Record<string, (typeof riskDecisions)[RiskDecision]>> = riskDecisions;

function assessDecision(decision: string): FraudReason {
  const word = Object.hasOwn(decisionWords, decision) ? decisionWords[decision] : undefined;
  const what = `risk decision ${codeInWords(decision)}: ${word ?? 'not listed'}`;
  if (word === undefined) {
    return { code: 'risk_decision_unknown', check: 'risk', what, recommendation: 'review' };
  }
  return {
    code: `risk_decision_${word}`,
    check: 'risk',
    what,
    recommendation: word === 'approve' ? 'accept' : word,
  };
}
