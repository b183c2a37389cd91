import { readRisk, riskBands, riskDecisions } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';

describe('risk', () => {
  it('has the bands of the interface', () => {
    expect(riskBands).toEqual([
      { from: 0, to: 20, level: 'low', recommendation: 'approve', advice: 'approve, process normally' },
      {
        from: 21,
        to: 40,
        level: 'medium_low',
        recommendation: 'approve_with_monitoring',
        advice: 'approve with monitoring',
      },
      { from: 41, to: 60, level: 'medium', recommendation: 'review', advice: 'review before fulfilment' },
      {
        from: 61,
        to: 80,
        level: 'medium_high',
        recommendation: 'decline_or_verify',
        advice: 'decline, or require verification',
      },
      { from: 81, to: 100, level: 'high', recommendation: 'decline', advice: 'decline' },
    ]);
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
    expect(readRisk(String(score), '')).toMatchObject({ score, level });
  });

  it('has the decisions of the interface', () => {
    expect(riskDecisions).toEqual({ A: 'approve', D: 'decline', R: 'review' });
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
    expect(readRisk(text, '')).toMatchObject({ score, level });
  });
});
