/** Reaches inside: the SQL of the guide must give the same counts, which `fraudFigures` does not return. */
import fc from 'fast-check';
import type { FraudCounts, FraudRecord } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { countFraud } from '../../src/fraud/counts.ts';
import { anyRecord, noCounts } from './records.ts';

describe('countFraud', () => {
  it.each<[record: FraudRecord, counts: Partial<FraudCounts>]>([
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
    [{ chargeback_reason: '13.1' }, { chargebacks: 1 }],
    [{ chargeback_reason: '' }, { chargebacks: 1 }],
    [{ chargeback_reason: null }, {}],
  ])('counts %j', (record, counts) => {
    expect(countFraud([record])).toEqual({ ...noCounts, ...counts });
  });

  it.each([
    ['X', 1, 1],
    ['Y', 1, 1],
    ['A', 0, 1],
    ['W', 0, 1],
    ['Z', 0, 1],
    ['N', 0, 1],
    ['U', 0, 0],
    ['R', 0, 0],
    ['E', 0, 0],
    ['S', 0, 0],
    ['G', 0, 0],
    ['D', 0, 0],
    ['', 0, 0],
  ])('counts AVS %s as %i matches of %i', (avsresponse, avsMatched, avsChecked) => {
    for (const approved of [true, false, null]) {
      expect(countFraud([{ approved, avsresponse }])).toMatchObject({ avsMatched, avsChecked });
    }
  });

  it.each([
    ['M', 1, 1],
    ['N', 0, 1],
    ['P', 0, 0],
    ['', 0, 0],
  ])('counts CVV %s as %i matches of %i', (cvvresponse, cvvMatched, cvvChecked) => {
    for (const approved of [true, false, null]) {
      expect(countFraud([{ approved, cvvresponse }])).toMatchObject({ cvvMatched, cvvChecked });
    }
  });

  it.each<[record: FraudRecord, frauds: number]>([
    [{ chargeback_reason: '10.4' }, 1],
    [{ chargeback_reason: '10.9' }, 1],
    [{ chargeback_reason: '13.1' }, 0],
    [{ chargeback_reason: '' }, 0],
    [{ chargeback_reason: '10.4', is_fraud: false }, 0],
    [{ chargeback_reason: '13.1', is_fraud: true }, 1],
    [{ chargeback_reason: '10.4', is_fraud: true }, 1],
    [{ is_fraud: true }, 1],
    [{ is_fraud: null }, 0],
    [{ approved: true, is_fraud: true }, 1],
    [{ approved: false, is_fraud: true }, 0],
    [{ approved: false, chargeback_reason: '10.4' }, 0],
  ])('counts %j as %i frauds', (record, frauds) => {
    expect(countFraud([record]).frauds).toBe(frauds);
  });

  it('adds up however the records are split', () => {
    fc.assert(
      fc.property(fc.array(anyRecord), fc.array(anyRecord), (some, others) => {
        const [a, b, all] = [countFraud(some), countFraud(others), countFraud(new Set([...some, ...others]))];
        expect(all).toEqual(
          Object.fromEntries(Object.entries(a).map(([name, n]) => [name, n + Number(Reflect.get(b, name))])),
        );
      }),
    );
  });

  it('accepts rows with more columns without changes', () => {
    const row = Object.freeze({ id: 'p1', created_at: new Date(0), approved: true, avsresponse: null });
    expect(countFraud([row])).toEqual({ ...noCounts, transactions: 1 });
  });
});
