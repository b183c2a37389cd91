import { refuseValue } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { AvsResult } from './codes/avs.ts';
import type { CvvResult } from './codes/cvv.ts';
import type { RiskResult } from './codes/risk.ts';
import type { ThreeDSecureOutcome } from './codes/three-d-secure.ts';
import {
  avsFinding,
  codeInWords,
  cvvFinding,
  type FraudDecision,
  type FraudReason,
  finding,
  riskFindings,
  threeDSecureFinding,
} from './findings.ts';

/** The result of a transaction of the form endpoint, and the result of 3-D Secure. */
export type AssessableTransaction = {
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
};

/**
 * The fields of a `Charge` that are relevant to fraud. The interface shows no AVS, CVV, risk score or 3-D Secure result on a
 * charge.
 */
type AssessableCharge = {
  /** Distinguishes a charge from a result of the form endpoint (*shown*). */
  readonly object: 'charge';
  /** The status of the charge (*shown*: `succeeded`; *inferred*: `failed`). */
  readonly status: string;
};

/** What to do with a payment, and why. */
export interface FraudAssessment {
  /** The strictest decision of all findings. */
  readonly decision: FraudDecision;
  /** All findings, including those that accept, strictest first. */
  readonly reasons: readonly FraudReason[];
}

/**
 * Assesses a payment. The strictest finding wins, in the order `decline`, `review`, `retry`, `accept` (*inferred*). To decide
 * otherwise about a finding, read `reasons`, each of which has a `code`. The result is advice and moves no money. Void an
 * approved transaction that gets `decline` or `retry`: otherwise a second sale charges twice.
 *
 * Findings of AVS codes and of scores have the recommendation of the interface (*shown*). Those that it leaves open are
 * *inferred*:
 *
 * - AVS `N` ("decline or review") is a `review`.
 * - A CVV mismatch ("a fraud indicator") is a `decline`.
 * - A score from 61 to 80 ("decline, or require verification") is a `decline`, and a `review` if 3-D Secure authenticated the
 *   buyer.
 * - A failed authentication ("high fraud risk") is a `decline`; one that was not available, or contradicts itself, is a
 *   `review`, and one that the buyer did not finish a `retry`.
 * - A payment that was not approved is a `decline`. One without any check result is a `review`, such as every successful
 *   charge, since a charge shows no checks. A single missing check is accepted.
 *
 * @throws ConfigurationError for a value that is neither the result of a transaction nor a charge, such as its `fields`, or a promise.
 *
 * @example
 * const { decision, reasons } = assessFraud(result);
 * if (decision !== 'accept') hold(result.transactionid, reasons);
 */
export function assessFraud(subject: AssessableTransaction | AssessableCharge): FraudAssessment {
  if (!isRecord(subject)) return refuseValue('result', expectedSubject, subject, advice);
  const found = isCharge(subject)
    ? [...assessStatus(subject), ...assessChecks({})]
    : [...assessResponse(subject), ...assessChecks(subject)];
  const reasons = found.sort((a, b) => strictness[b.recommendation] - strictness[a.recommendation]);
  return { decision: reasons[0]?.recommendation ?? 'accept', reasons };
}

const strictness: Readonly<Record<FraudDecision, number>> = { accept: 0, retry: 1, review: 2, decline: 3 };
const expectedSubject = 'the result of a transaction, or a charge';
const advice = 'Pass what a call of payments.transact or payments.charges returned, awaited and whole.';

function isCharge(subject: AssessableTransaction | AssessableCharge): subject is AssessableCharge {
  return 'object' in subject;
}

function assessResponse({ approved, response }: AssessableTransaction): FraudReason[] {
  // Fields as they came, or a call that nobody awaited, would look declined.
  if (typeof approved !== 'boolean') return refuseValue('result.approved', 'true or false', approved, advice);
  if (approved === true && response === '1') return [];
  const what = `response ${codeInWords(String(response))}: the transaction was not approved`;
  return [finding('response', 'not_approved', what, 'decline')];
}

/** An unknown status may be a charge in progress, which is not a decline. */
function assessStatus({ object, status }: AssessableCharge): FraudReason[] {
  if (object !== 'charge') return refuseValue('result.object', "'charge'", object, advice);
  if (status === 'succeeded') return [];
  if (status === 'failed') {
    return [finding('response', 'not_approved', 'status failed: the charge did not succeed', 'decline')];
  }
  const what = `status ${codeInWords(String(status))}: not listed`;
  return [finding('response', 'status_unknown', what, 'review')];
}

function assessChecks({ avs, cvv, risk, threeDSecure }: Partial<AssessableTransaction>): FraudReason[] {
  const authentication = threeDSecure === undefined ? [] : [threeDSecureFinding(threeDSecure)];
  const isVerified = authentication.some(({ code }) => code === 'three_d_secure_authenticated');
  const reasons = [avsFinding(avs), cvvFinding(cvv), ...riskFindings(risk, isVerified), ...authentication];
  // A single missing check is accepted; if all are missing, there is nothing to assess.
  if (reasons.some(({ code }) => !code.endsWith('_missing'))) return reasons;
  return [...reasons, finding('coverage', 'nothing_checked', 'no check has a result', 'review')];
}
