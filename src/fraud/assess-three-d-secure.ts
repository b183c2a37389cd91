import { parseDecimal } from './decimal.ts';
import type { CompleteThreeDSecurePolicy } from './policy-check.ts';
import type { FraudDecision, FraudReason } from './reason.ts';
import type { ThreeDSecureFinding } from './three-d-secure.ts';

/** The facts that exempt a transaction. */
export interface ExemptionFacts {
  readonly amount: string | undefined;
  readonly score: number | undefined;
}

const words: Readonly<Record<ThreeDSecureFinding, string>> = {
  authenticated: '3-D Secure authenticated the cardholder',
  failed: '3-D Secure authentication failed, which is a high risk of fraud',
  unavailable: '3-D Secure authentication was not available',
  unfinished: 'the 3-D Secure challenge is not finished',
  contradictory: 'the fields of the 3-D Secure outcome contradict each other',
};

/** Assesses a 3-D Secure outcome by a policy. */
export function assessThreeDSecure(
  finding: ThreeDSecureFinding | undefined,
  policy: CompleteThreeDSecurePolicy,
  facts: ExemptionFacts,
): FraudReason[] {
  if (!policy.enabled) return [];
  if (finding === undefined) return policy.required ? [assessMissing(policy, facts)] : [];
  return [
    {
      code: `three_d_secure_${finding}`,
      check: 'three_d_secure',
      what: words[finding],
      recommendation: recommend(finding, policy),
    },
  ];
}

function recommend(finding: ThreeDSecureFinding, policy: CompleteThreeDSecurePolicy): FraudDecision {
  switch (finding) {
    case 'authenticated':
      return 'accept';
    case 'failed':
      return policy.failed;
    case 'unavailable':
      return policy.unavailable;
    case 'unfinished':
      return 'retry';
    case 'contradictory':
      return 'review';
  }
}

function assessMissing(policy: CompleteThreeDSecurePolicy, facts: ExemptionFacts): FraudReason {
  const check = 'three_d_secure';
  const exemption = findExemption(policy.exemptions, facts);
  if (exemption === undefined) {
    const what = '3-D Secure is required, but there is no outcome';
    return { code: 'three_d_secure_missing', check, what, recommendation: policy.missing };
  }
  const what = `exempt from 3-D Secure: ${exemption}`;
  return { code: 'three_d_secure_exempt', check, what, recommendation: 'accept' };
}

function findExemption(
  { amountUpTo, scoreUpTo }: CompleteThreeDSecurePolicy['exemptions'],
  { amount, score }: ExemptionFacts,
): string | undefined {
  if (amountUpTo !== undefined && amount !== undefined) {
    if (parseDecimal('result.amount', amount) <= amountUpTo) return 'the amount is small';
  }
  if (scoreUpTo !== undefined && score !== undefined && score <= scoreUpTo) return 'the risk score is low';
  return undefined;
}
