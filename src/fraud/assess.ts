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

/** The result of a transaction of the form endpoint, with optional facts of your own. */
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
  /** The result of 3-D Secure; absent if it did not run. */
  readonly threeDSecure?: ThreeDSecureOutcome | undefined;
  /** The amount, a decimal string in the unit of `amountUpTo`; needed only for a 3-D Secure exemption by amount. */
  readonly amount?: string | undefined;
}

/**
 * The fields of a `Charge` that are relevant to fraud. The interface shows no AVS, CVV, risk score or 3-D Secure result on a
 * charge.
 */
export interface AssessableCharge {
  /** Distinguishes a charge from a result of the form endpoint (*shown*). */
  readonly object: 'charge';
  /** The status of the charge (*shown*: `succeeded`; *inferred*: `failed`). */
  readonly status: string;
}

/** What to do with a payment, and why. */
export interface FraudAssessment {
  /** The strictest decision of all findings. */
  readonly decision: FraudDecision;
  /** All findings, including those that accept, strictest first. */
  readonly reasons: readonly FraudReason[];
}

/** Assesses payments by a policy that was checked once. Created by {@link compileFraudPolicy}. */
export type FraudAssessor = (subject: AssessableTransaction | AssessableCharge) => FraudAssessment;

/**
 * Returns a function that assesses payments by a policy. It checks and copies the policy now, so an invalid policy fails
 * when the program starts, not at the first payment.
 *
 * @param policy What to do about each finding. Default: the interface's recommendations.
 * @throws TypeError for a policy with a value of the wrong kind or an unknown name.
 * @throws RangeError for thresholds that are out of range or out of order.
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
 * Assesses a payment as the interface recommends; {@link compileFraudPolicy} uses your own policy. The strictest finding
 * wins, in the order `decline`, `review`, `retry`, `accept`. The result is advice and moves no money. {@link FraudDecision}
 * says what to do about an approved transaction that gets `decline`.
 *
 * A payment that was not approved is a `decline`. A payment without any check result is a `review`. This includes every
 * successful charge, since a charge shows no checks.
 *
 * @throws TypeError for a value that is no object or another resource than a charge, or an amount that is no decimal string.
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

/** An unknown status may be a charge in progress, which is not a decline. */
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

/** A single missing check follows its own policy; if all are missing, there is nothing to assess. */
function assessCoverage(reasons: readonly FraudReason[]): FraudReason[] {
  if (reasons.length === 0 || reasons.some(({ code }) => !/_(?:missing|exempt)$/.test(code))) return [];
  const what = 'none of the enabled checks has a result';
  return [{ code: 'nothing_checked', check: 'coverage', what, recommendation: 'review' }];
}
