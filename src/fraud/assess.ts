import { isRecord } from '../base/json.ts';
import { assessAvs } from './assess-avs.ts';
import { assessCvv } from './assess-cvv.ts';
import { assessRisk } from './assess-risk.ts';
import { assessThreeDSecure } from './assess-three-d-secure.ts';
import type { AvsResult } from './avs-result.ts';
import type { CvvResult } from './cvv.ts';
import type { FraudPolicy } from './policy.ts';
import { type CompletePolicy, completePolicy } from './policy-check.ts';
import { byStrictness, codeInWords, type FraudDecision, type FraudReason } from './reason.ts';
import { refuseType } from './refuse.ts';
import type { RiskResult } from './risk.ts';
import { readThreeDSecure, type ThreeDSecureOutcome } from './three-d-secure.ts';

/** What there is to assess: the result of a transaction, and what you know beside it. */
export interface AssessableTransaction {
  /** Whether the transaction was approved. */
  readonly approved: boolean;
  /** The response; `1` means approved (*shown*). */
  readonly response: string;
  /** The address check; `undefined` where there was none. */
  readonly avs: AvsResult | undefined;
  /** The security-code check; `undefined` where there was none. */
  readonly cvv: CvvResult | undefined;
  /** The fraud scoring; `undefined` where there was none. */
  readonly risk: RiskResult | undefined;
  /** The outcome of 3-D Secure; left out where it was not run. */
  readonly threeDSecure?: ThreeDSecureOutcome | undefined;
  /** The amount, a decimal string in the unit of `amountUpTo`; only an exemption from 3-D Secure by amount needs it. */
  readonly amount?: string | undefined;
}

/** What to do with a transaction, and why. */
export interface FraudAssessment {
  /** What the strictest of all findings asks for. */
  readonly decision: FraudDecision;
  /** Every finding, those that accept too, the strictest first. */
  readonly reasons: readonly FraudReason[];
}

/**
 * What to do with a transaction: the strictest of what its checks ask for, in the order `decline`, `review`, `retry`,
 * `accept`. It is advice and moves no money; see {@link FraudDecision} for an approved transaction that is declined.
 *
 * A transaction that was not approved is a `decline`. One for which none of the enabled checks gave anything is a
 * `review`, since nothing is known about it.
 *
 * @param policy What to do about each finding. Default: what the interface recommends.
 * @throws TypeError for a policy with a value of the wrong kind or a name that is not known.
 * @throws RangeError for thresholds out of bounds or out of order.
 *
 * @example
 * const { decision, reasons } = assessFraud(result, { cvv: { mismatch: 'flag' } });
 * if (decision !== 'accept') hold(result.transactionid, reasons);
 */
export function assessFraud(result: AssessableTransaction, policy: FraudPolicy = {}): FraudAssessment {
  if (!isRecord(result)) return refuseType('result', 'the result of a transaction', result);
  const complete = completePolicy(policy);
  const reasons = [...assessResponse(result), ...assessChecks(result, complete)].sort(byStrictness);
  return { decision: reasons[0]?.recommendation ?? 'accept', reasons };
}

/**
 * Checks a policy, so that a wrong one shows when the program starts and not at the first payment. Gives the policy
 * itself.
 *
 * @throws TypeError for a value of the wrong kind or a name that is not known.
 * @throws RangeError for thresholds out of bounds or out of order.
 */
export function checkFraudPolicy(policy: FraudPolicy): FraudPolicy {
  completePolicy(policy);
  return policy;
}

function assessResponse({ approved, response }: AssessableTransaction): FraudReason[] {
  if (approved === true && response === '1') return [];
  const what = `response ${codeInWords(String(response))}: the transaction was not approved`;
  return [{ code: 'not_approved', check: 'response', what, recommendation: 'decline' }];
}

function assessChecks(result: AssessableTransaction, policy: CompletePolicy): FraudReason[] {
  const { avs, cvv, risk, threeDSecure, amount } = result;
  const finding = threeDSecure === undefined ? undefined : readThreeDSecure(threeDSecure);
  const reasons = [
    ...assessAvs(avs, policy.avs),
    ...assessCvv(cvv, policy.cvv),
    ...assessRisk(risk, policy.risk, finding === 'authenticated'),
    ...assessThreeDSecure(finding, policy.threeDSecure, { amount, score: risk?.score }),
  ];
  return [...reasons, ...assessCoverage(reasons)];
}

/** A lone missing check is for its own policy to judge; all of them missing leaves nothing to judge by. */
function assessCoverage(reasons: readonly FraudReason[]): FraudReason[] {
  if (reasons.length === 0 || reasons.some(({ code }) => !/_(?:missing|exempt)$/.test(code))) return [];
  const what = 'none of the enabled checks gave anything';
  return [{ code: 'nothing_checked', check: 'coverage', what, recommendation: 'review' }];
}
