/** Shared by the tests of assessments. */

import { assessFraud, readChecks } from 'payments-client/fraud';

/** The result of a transaction, as an assessment takes it. */
export type AssessableTransaction = Exclude<Parameters<typeof assessFraud>[0], { readonly object: 'charge' }>;

/** The fields that a test changes of a transaction that passed every check. */
export interface Facts extends Partial<AssessableTransaction> {
  readonly avsCode?: string;
  readonly cvvCode?: string;
  readonly score?: number | string;
  readonly riskDecision?: string;
}

/** Returns an approved transaction that passed every check, with a test's changes. */
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
    ...readChecks({
      avsresponse: avsCode,
      cvvresponse: cvvCode,
      risk_score: score,
      risk_decision: riskDecision,
    }),
    ...facts,
  };
}

/** Returns the decision and its reason. */
export function judge(facts: Facts) {
  const { decision, reasons } = assessFraud(transaction(facts));
  return [decision, reasons[0]?.code];
}

/** The facts of a transaction without checks. */
export const unchecked = { avsCode: '', cvvCode: '', score: '', riskDecision: '' };
