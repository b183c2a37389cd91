/** Reaches inside: the SQL of the guide must give the same counts, which `fraudFigures` does not return. */

import fc from 'fast-check';
import type { FraudCounts, FraudRecord } from 'payments-client/fraud';
import { expect, it } from 'vitest';
import { countFraud } from '../../../src/fraud/monitoring/counts.ts';
import { anyRecord, noCounts } from '../records.ts';

const avs = (avsMatched: number, avsChecked: number, ...codes: string[]) =>
  codes.map((avsresponse) => [{ avsresponse }, { avsMatched, avsChecked }] as const);

it.each<readonly [record: FraudRecord, counts: Partial<FraudCounts>]>([
  [{}, {}],
  [{ approved: true }, { transactions: 1 }],
  [{ approved: false }, {}],
  [{ authenticated: true }, { authentications: 1, authenticated: 1 }],
  [{ authenticated: false }, { authentications: 1 }],
  [{ authenticated: null }, {}],
  [{ risk_score: 0 }, { scored: 1 }],
  [{ risk_score: 100 }, { scored: 1, scoreSum: 100 }],
  [
    { approved: false, risk_score: 90 },
    { scored: 1, scoreSum: 90 },
  ],
  ...avs(1, 1, 'X', 'Y'),
  ...avs(0, 1, 'A', 'W', 'Z', 'N'),
  ...avs(0, 0, 'U', 'R', 'E', 'S', 'G', 'D', ''),
  [
    { approved: false, avsresponse: 'X' },
    { avsMatched: 1, avsChecked: 1 },
  ],
  [{ cvvresponse: 'M' }, { cvvMatched: 1, cvvChecked: 1 }],
  [{ cvvresponse: 'N' }, { cvvChecked: 1 }],
  [{ cvvresponse: 'P' }, {}],
  [{ cvvresponse: '' }, {}],
  [
    { approved: false, cvvresponse: 'M' },
    { cvvMatched: 1, cvvChecked: 1 },
  ],
  [{ chargeback_reason: null }, {}],
  [{ chargeback_reason: '' }, { chargebacks: 1 }],
  [{ chargeback_reason: '13.1' }, { chargebacks: 1 }],
  [{ chargeback_reason: '10.4' }, { chargebacks: 1, frauds: 1 }],
  [{ chargeback_reason: '10.9' }, { chargebacks: 1, frauds: 1 }],
  [{ chargeback_reason: '10.4', is_fraud: false }, { chargebacks: 1 }],
  [
    { chargeback_reason: '13.1', is_fraud: true },
    { chargebacks: 1, frauds: 1 },
  ],
  [
    { chargeback_reason: '10.4', is_fraud: null },
    { chargebacks: 1, frauds: 1 },
  ],
  [{ is_fraud: true }, { frauds: 1 }],
  [
    { approved: true, is_fraud: true },
    { transactions: 1, frauds: 1 },
  ],
  // It took no money.
  [{ approved: false, is_fraud: true }, {}],
  [{ approved: false, chargeback_reason: '10.4' }, { chargebacks: 1 }],
])('counts %j as %j', (record, counts) => {
  // Rows of a table have more columns.
  const row = Object.freeze({ id: 'p1', created_at: new Date(0), ...record });
  expect(countFraud([row])).toEqual({ ...noCounts, ...counts });
});

it('counts add up however the records are split', () => {
  fc.assert(
    fc.property(fc.array(anyRecord), fc.array(anyRecord), (some, others) => {
      const [a, b, all] = [countFraud(some), countFraud(others), countFraud(new Set([...some, ...others]))];
      const sums = Object.entries(a).map(([name, n]) => [name, n + Number(Reflect.get(b, name))]);
      expect(all).toEqual(Object.fromEntries(sums));
    }),
  );
});
