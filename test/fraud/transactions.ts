/** What the tests of assessments and policies share. */

import {
  type AssessableTransaction,
  compileFraudPolicy,
  type FraudPolicy,
  readAvs,
  readCvv,
  readRisk,
} from 'payments-client/fraud';

/** What a test changes of a transaction that passed every check. */
export interface Facts extends Partial<AssessableTransaction> {
  readonly avsCode?: string;
  readonly cvvCode?: string;
  readonly score?: number | string;
  readonly riskDecision?: string;
}

/** An approved transaction that passed every check, with what a test changes. */
export function transaction({
  avsCode = 'X',
  cvvCode = 'M',
  score = 10,
  riskDecision = 'A',
  ...facts
}: Facts = {}): AssessableTransaction {
  return {
    approved: true,
    response: '1',
    avs: readAvs(avsCode),
    cvv: readCvv(cvvCode),
    risk: readRisk(String(score), riskDecision),
    ...facts,
  };
}

/** The decision, and the reason that it rests on. */
export function judge(facts: Facts, policy?: FraudPolicy) {
  const { decision, reasons } = compileFraudPolicy(policy)(transaction(facts));
  return [decision, reasons[0]?.code];
}

/** Facts of a transaction that nobody checked. */
export const unchecked = { avsCode: '', cvvCode: '', score: '', riskDecision: '' };
