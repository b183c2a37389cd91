/** Shared by the tests of counts. */

import fc from 'fast-check';
import type { FraudCounts, FraudRecord } from 'payments-client/fraud';

const flag = fc.constantFrom(true, false, null);

/** A row of a table of card payments, with listed and unlisted codes. */
export const anyRecord: fc.Arbitrary<FraudRecord> = fc.record({
  approved: flag,
  avsresponse: fc.constantFrom(...'XYAWZNURESGBDQ', '', 'x', null),
  cvvresponse: fc.constantFrom(...'MNPSUX', '', 'm', null),
  risk_score: fc.option(fc.integer({ min: 0, max: 100 })),
  authenticated: flag,
  chargeback_reason: fc.constantFrom(null, null, '10.1', '10.4', '10.9', '10', '1014', '13.1', '', '%'),
  is_fraud: flag,
});

/** The counts of no record. */
export const noCounts: FraudCounts = {
  transactions: 0,
  frauds: 0,
  chargebacks: 0,
  authentications: 0,
  authenticated: 0,
  avsChecked: 0,
  avsMatched: 0,
  cvvChecked: 0,
  cvvMatched: 0,
  scored: 0,
  scoreSum: 0,
};
