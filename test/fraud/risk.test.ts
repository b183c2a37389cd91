import { assessFraud, readChecks } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };
import { transaction } from './transactions.ts';

const readRisk = (risk_score: number | string) => readChecks({ risk_score }).risk;

const recommendations = ['approve', 'approve_with_monitoring', 'review', 'decline_or_verify', 'decline'];

describe('risk', () => {
  it('has the bands of the interface', () => {
    for (const [index, { from, to, level }] of fraud.riskBands.entries()) {
      for (let score = from; score <= to; score += 1) {
        expect(readRisk(score)).toEqual({
          score,
          level: level.toLowerCase().replace('-', '_'),
          recommendation: recommendations[index],
          decision: undefined,
        });
      }
    }
  });

  it.each([
    [0, 'low'],
    [20, 'low'],
    [21, 'medium_low'],
    [40, 'medium_low'],
    [41, 'medium'],
    [60, 'medium'],
    [61, 'medium_high'],
    [80, 'medium_high'],
    [81, 'high'],
    [100, 'high'],
  ])('has score %i in its band', (score, level) => {
    expect(readRisk(score)).toMatchObject({ score, level });
  });

  it('has the decisions of the interface', () => {
    for (const { code, meaning } of fraud.riskDecisions) {
      const { reasons } = assessFraud(transaction({ riskDecision: code }));
      expect(reasons.map(({ what }) => what)).toContain(`risk decision ${code}: ${meaning}`);
    }
  });
});

describe('a score', () => {
  it.each([
    ['0', 0, 'low'],
    ['20', 20, 'low'],
    ['21', 21, 'medium_low'],
    ['100', 100, 'high'],
    ['101', undefined, undefined],
    ['1000', undefined, undefined],
    ['x50', undefined, undefined],
    ['50x', undefined, undefined],
    ['10.5', undefined, undefined],
    ['1e1', undefined, undefined],
    ['-5', undefined, undefined],
  ])('%s is %s, %s', (text, score, level) => {
    expect(readRisk(text)).toMatchObject({ score, level });
  });
});
