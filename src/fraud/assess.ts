import { isRecord } from '../base/json.ts';
import { refuseValue } from '../base/refuse.ts';
import type { AvsResult } from './avs.ts';
import type { CvvResult } from './cvv.ts';
import { avsFinding, cvvFinding, riskFindings, threeDSecureFinding } from './findings.ts';
import { byStrictness, codeInWords, type FraudDecision, type FraudReason } from './reason.ts';
import type { RiskResult } from './risk.ts';
import type { ThreeDSecureOutcome } from './three-d-secure.ts';

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
 * Assesses a payment as the interface recommends. The strictest finding wins, in the order `decline`, `review`, `retry`,
 * `accept`. To decide otherwise about a finding, read `reasons`, each of which has a `code`. The result is advice and moves
 * no money. Void an approved transaction that gets `decline` or `retry`: otherwise a
 * second sale charges twice.
 *
 * A payment that was not approved is a `decline`. A payment without any check result is a `review`. This includes every
 * successful charge, since a charge shows no checks. A single missing check is accepted.
 *
 * Three findings have no single recommendation of the interface. AVS `N` ("decline or review") is a `review`, since buyers
 * move house. A CVV mismatch is a `decline`, since a buyer with the card can read the code. A score from 61 to 80 ("decline,
 * or require verification") is a `decline`, and a `review` if 3-D Secure authenticated the buyer.
 *
 * @throws ConfigurationError for a value that is no object or another resource than a charge.
 *
 * @example
 * const { decision, reasons } = assessFraud(result);
 * if (decision !== 'accept') hold(result.transactionid, reasons);
 */
export function assessFraud(subject: AssessableTransaction | AssessableCharge): FraudAssessment {
  if (!isRecord(subject)) return refuseValue('result', expectedSubject, subject, advice);
  const found = isCharge(subject)
    ? [...assessStatus(subject), ...assessChecks(chargeChecks)]
    : [...assessResponse(subject), ...assessChecks(subject)];
  const reasons = found.sort(byStrictness);
  return { decision: reasons[0]?.recommendation ?? 'accept', reasons };
}

const expectedSubject = 'the result of a transaction, or a charge';
const advice = 'Pass what payments.transact or payments.charges returned.';

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
  if (object !== 'charge') return refuseValue('result.object', "'charge'", object, advice);
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

function assessChecks({ avs, cvv, risk, threeDSecure }: Checks): FraudReason[] {
  const authentication = threeDSecure === undefined ? [] : [threeDSecureFinding(threeDSecure)];
  const isVerified = authentication.some(({ code }) => code === 'three_d_secure_authenticated');
  const reasons = [avsFinding(avs), cvvFinding(cvv), ...riskFindings(risk, isVerified), ...authentication];
  return [...reasons, ...assessCoverage(reasons)];
}

/** A single missing check is accepted; if all are missing, there is nothing to assess. */
function assessCoverage(reasons: readonly FraudReason[]): FraudReason[] {
  if (reasons.some(({ code }) => !code.endsWith('_missing'))) return [];
  const what = 'no check has a result';
  return [{ code: 'nothing_checked', check: 'coverage', what, recommendation: 'review' }];
}
