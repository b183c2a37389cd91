import { isRecord } from '../base/json.ts';
import { assessAvs } from './assess-avs.ts';
import { assessCvv } from './assess-cvv.ts';
import { assessRisk } from './assess-risk.ts';
import { assessThreeDSecure } from './assess-three-d-secure.ts';
import type { AvsResult } from './avs.ts';
import type { CvvResult } from './cvv.ts';
import { inferAvs, inferCvv } from './inferred-codes.ts';
import type { FraudPolicy } from './policy.ts';
import { type CompletePolicy, checkPolicy, interfacePolicy } from './policy-check.ts';
import { byStrictness, codeInWords, type FraudDecision, type FraudReason } from './reason.ts';
import { refuseType } from './refuse.ts';
import type { RiskResult } from './risk.ts';
import { readThreeDSecure, type ThreeDSecureOutcome } from './three-d-secure.ts';

/** The result of a form transaction, and what you know beside it. */
export interface AssessableTransaction {
  /** Whether the transaction was approved. */
  readonly approved: boolean;
  /** The response; `1` means approved (*shown*). */
  readonly response: string;
  /** The address check; `undefined` if there was none. */
  readonly avs: AvsResult | undefined;
  /** The security-code check; `undefined` if there was none. */
  readonly cvv: CvvResult | undefined;
  /** The fraud scoring; `undefined` if there was none. */
  readonly risk: RiskResult | undefined;
  /** The outcome of 3-D Secure; left out if it was not run. */
  readonly threeDSecure?: ThreeDSecureOutcome | undefined;
  /** The amount, a decimal string in the unit of `amountUpTo`; only an exemption from 3-D Secure by amount needs it. */
  readonly amount?: string | undefined;
}

/**
 * The fields of a `Charge` that say something about fraud. The interface shows no AVS, CVV, risk score or 3-D Secure
 * outcome on a charge.
 */
export interface AssessableCharge {
  /** Tells a charge from the result of a form transaction (*shown*). */
  readonly object: 'charge';
  /** Where the charge stands (*shown*: `succeeded`; *inferred*: `failed`). */
  readonly status: string;
}

/** What to do with a payment, and why. */
export interface FraudAssessment {
  /** What the strictest of all findings asks for. */
  readonly decision: FraudDecision;
  /** Every finding, also those that accept, the strictest first. */
  readonly reasons: readonly FraudReason[];
}

/** Assesses a payment by a policy that was checked once; {@link compileFraudPolicy} makes it. */
export type FraudAssessor = (subject: AssessableTransaction | AssessableCharge) => FraudAssessment;

/**
 * Returns a function that assesses payments by a policy. The policy is checked and copied here, so a wrong one fails
 * when the program starts and not at the first payment.
 *
 * @param policy What to do about each finding. Default: what the interface recommends.
 * @throws TypeError for a policy with a value of the wrong kind or an unknown name.
 * @throws RangeError for thresholds out of bounds or out of order.
 *
 * @example
 * const assess = compileFraudPolicy({ cvv: { mismatch: 'flag' } }); // once
 * const { decision, reasons } = assess(result); // for each payment
 */
export function compileFraudPolicy(policy: FraudPolicy = {}): FraudAssessor {
  const complete = checkPolicy(policy);
  return (subject) => assess(subject, complete);
}

/**
 * Assesses a payment as the interface recommends; {@link compileFraudPolicy} does it by a policy of yours. The strictest
 * finding wins, in the order `decline`, `review`, `retry`, `accept`. It is advice and moves no money; see
 * {@link FraudDecision} for an approved transaction that is declined.
 *
 * A payment that was not approved is a `decline`. A payment for which no check has a result is a `review`. Every
 * successful charge is one, since a charge shows no checks.
 *
 * @throws TypeError for a value that is neither the result of a transaction nor a charge.
 *
 * @example
 * const { decision, reasons } = assessFraud(result);
 * if (decision !== 'accept') hold(result.transactionid, reasons);
 */
export function assessFraud(subject: AssessableTransaction | AssessableCharge): FraudAssessment {
  return assess(subject, interfacePolicy);
}

function assess(subject: AssessableTransaction | AssessableCharge, policy: CompletePolicy): FraudAssessment {
  if (!isRecord(subject)) return refuseType('result', 'the result of a transaction, or a charge', subject);
  const found = isCharge(subject)
    ? [...assessStatus(subject), ...assessChecks(chargeChecks, policy)]
    : [...assessResponse(subject), ...assessChecks(subject, policy)];
  const reasons = found.sort(byStrictness);
  return { decision: reasons[0]?.recommendation ?? 'accept', reasons };
}

function isCharge(subject: AssessableTransaction | AssessableCharge): subject is AssessableCharge {
  return 'object' in subject;
}

function assessResponse({ approved, response }: AssessableTransaction): FraudReason[] {
  if (approved === true && response === '1') return [];
  const what = `response ${codeInWords(String(response))}: the transaction was not approved`;
  return [{ code: 'not_approved', check: 'response', what, recommendation: 'decline' }];
}

/** A status that is new to this version may be a charge that is still under way, which is no decline. */
function assessStatus({ object, status }: AssessableCharge): FraudReason[] {
  if (object !== 'charge') return refuseType('result.object', "'charge'", object);
  if (status === 'succeeded') return [];
  const check = 'response';
  if (status === 'failed') {
    const what = 'status failed: the charge did not succeed';
    return [{ code: 'not_approved', check, what, recommendation: 'decline' }];
  }
  const what = `status ${codeInWords(String(status))}: not listed`;
  return [{ code: 'status_unknown', check, what, recommendation: 'review' }];
}

type Checks = Omit<AssessableTransaction, 'approved' | 'response'>;

const chargeChecks: Checks = { avs: undefined, cvv: undefined, risk: undefined };

function assessChecks(checks: Checks, policy: CompletePolicy): FraudReason[] {
  const { risk, threeDSecure, amount } = checks;
  const { avs, cvv } = policy.inferredCodes ? withInferredCodes(checks) : checks;
  const finding = threeDSecure === undefined ? undefined : readThreeDSecure(threeDSecure);
  const reasons = [
    ...assessAvs(avs, policy.avs),
    ...assessCvv(cvv, policy.cvv),
    ...assessRisk(risk, policy.risk, finding === 'authenticated'),
    ...assessThreeDSecure(finding, policy.threeDSecure, { amount, score: risk?.score }),
  ];
  return [...reasons, ...assessCoverage(reasons)];
}

function withInferredCodes({ avs, cvv }: Checks): Pick<Checks, 'avs' | 'cvv'> {
  return { avs: avs && inferAvs(avs), cvv: cvv && inferCvv(cvv) };
}

/** A lone missing check is for its own policy to judge; all of them missing leaves nothing to judge by. */
function assessCoverage(reasons: readonly FraudReason[]): FraudReason[] {
  if (reasons.length === 0 || reasons.some(({ code }) => !/_(?:missing|exempt)$/.test(code))) return [];
  const what = 'none of the enabled checks gave anything';
  return [{ code: 'nothing_checked', check: 'coverage', what, recommendation: 'review' }];
}
