import { readRisk, riskBands, riskDecisions } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

const recommendations = ['approve', 'approve_with_monitoring', 'review', 'decline_or_verify', 'decline'];

describe('risk', () => {
  it('has the bands of the interface', () => {
    expect(riskBands).toEqual(
      fraud.riskBands.map(({ from, to, level, recommendation: advice }, index) => ({
        from,
        to,
        level: level.toLowerCase().replace('-', '_'),
        recommendation: recommendations[index],
        advice,
      })),
    );
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
    expect(Object.entries(riskDecisions)).toEqual(
      fraud.riskDecisions.map(({ code, meaning }) => [code, meaning]),
    );
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
