import { ConfigurationError } from 'payments-client';
import { type FraudFigure, type FraudRecord, fraudFigures } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { noCounts } from './records.ts';

/** Returns one figure of repeated records. */
function figure(
  name: FraudFigure['metric'],
  ...groups: readonly (readonly [times: number, record: FraudRecord])[]
) {
  const records = groups.flatMap(([times, record]) => Array.from({ length: times }, () => record));
  return fraudFigures(records).find(({ metric }) => metric === name);
}

const approved = { approved: true };

describe('fraudFigures', () => {
  it('has no data without records, but the targets', () => {
    const figures = fraudFigures([]);
    expect(figures.map(({ metric, status, value, sample }) => [metric, status, value, sample])).toEqual(
      [
        'fraud_rate',
        'chargeback_rate',
        'three_d_secure_success',
        'avs_match_rate',
        'cvv_match_rate',
        'average_fraud_score',
      ].map((metric) => [metric, 'no_data', undefined, 0]),
    );
    expect(figures[0]).toEqual({
      metric: 'fraud_rate',
      name: 'Fraud rate',
      unit: 'share',
      better: 'lower',
      target: 0.005,
      threshold: 0.01,
      action: 'review settings',
      value: undefined,
      sample: 0,
      status: 'no_data',
    });
  });

  it.each([
    [4, 1000, 'on_target'],
    [5, 1000, 'watch'],
    [10, 1000, 'watch'],
    [11, 1000, 'action'],
  ])('has a fraud rate of %i in %i: %s', (frauds, transactions, status) => {
    const groups = [
      [transactions - frauds, approved],
      [frauds, { ...approved, is_fraud: true }],
    ] as const;
    expect(figure('fraud_rate', ...groups)).toMatchObject({
      value: frauds / transactions,
      sample: transactions,
      status,
    });
    expect(figure('chargeback_rate', ...groups)).toMatchObject({ value: 0, status: 'on_target' });
  });

  it.each([
    [8, 1000, 'on_target'],
    [9, 1000, 'watch'],
    [10, 1000, 'watch'],
    [11, 1000, 'action'],
  ])('has a chargeback rate of %i in %i: %s', (chargebacks, transactions, status) => {
    const groups = [
      [transactions - chargebacks, approved],
      [chargebacks, { ...approved, chargeback_reason: '13.1' }],
    ] as const;
    expect(figure('chargeback_rate', ...groups)).toMatchObject({ value: chargebacks / transactions, status });
    expect(figure('fraud_rate', ...groups)).toMatchObject({ value: 0 });
  });

  it.each([
    [96, 'on_target'],
    [95, 'watch'],
    [90, 'watch'],
    [89, 'action'],
  ])('has a 3-D Secure success of %i in 100: %s', (successes, status) => {
    const groups = [
      [successes, { authenticated: true }],
      [100 - successes, { authenticated: false }],
      [1, { authenticated: null }],
    ] as const;
    expect(figure('three_d_secure_success', ...groups)).toMatchObject({
      value: successes / 100,
      sample: 100,
      status,
    });
  });

  it.each([
    [86, 'on_target'],
    [85, 'watch'],
    [80, 'watch'],
    [79, 'action'],
  ])('has an AVS match rate of %i in 100: %s', (matches, status) => {
    const groups = [
      [matches, { ...approved, avsresponse: 'X' }],
      [100 - matches, { ...approved, avsresponse: 'A' }],
      [7, { ...approved, avsresponse: 'U' }],
    ] as const;
    expect(figure('avs_match_rate', ...groups)).toMatchObject({ value: matches / 100, sample: 100, status });
  });

  it.each([
    [96, 'on_target'],
    [95, 'watch'],
    [90, 'watch'],
    [89, 'action'],
  ])('has a CVV match rate of %i in 100: %s', (matches, status) => {
    const groups = [
      [matches, { ...approved, cvvresponse: 'M' }],
      [100 - matches, { approved: false, cvvresponse: 'N' }],
      [7, { ...approved, cvvresponse: 'P' }],
    ] as const;
    expect(figure('cvv_match_rate', ...groups)).toMatchObject({ value: matches / 100, sample: 100, status });
  });

  it.each([
    [[29, 30], 29.5, 'on_target'],
    [[30], 30, 'watch'],
    [[40], 40, 'watch'],
    [[40, 41], 40.5, 'action'],
    [[0], 0, 'on_target'],
  ])('has an average of the fraud scores %j: %d, %s', (scores, value, status) => {
    const records = [...scores.map((risk_score) => ({ ...approved, risk_score })), approved];
    const figures = fraudFigures(records);
    expect(figures.at(-1)).toMatchObject({ value, sample: scores.length, status });
  });

  it('measures fraud by approved transactions', () => {
    expect(
      figure('fraud_rate', [1, { ...approved, is_fraud: true }], [3, { approved: false }]),
    ).toMatchObject({
      value: 1,
      sample: 1,
    });
  });

  it('needs action for a chargeback without a transaction', () => {
    const chargeback = { chargeback_reason: '13.1' };
    expect(figure('chargeback_rate', [1, chargeback])).toMatchObject({
      value: undefined,
      sample: 0,
      status: 'action',
    });
    expect(figure('fraud_rate', [1, chargeback])).toMatchObject({ status: 'no_data' });
  });
});

describe('targets', () => {
  it('replace those of the interface one by one', () => {
    const counts = { ...noCounts, transactions: 999, frauds: 2 };
    const [fraud, chargebacks] = fraudFigures(counts, { fraud_rate: { target: 0.001, threshold: 0.002 } });
    expect(fraud).toMatchObject({ target: 0.001, threshold: 0.002, status: 'action' });
    expect(chargebacks).toMatchObject({ target: 0.009 });
  });

  it('of the average are scores up to 100', () => {
    const figures = fraudFigures([], { average_fraud_score: { target: 25, threshold: 100 } });
    expect(figures.at(-1)).toMatchObject({ target: 25, threshold: 100 });
  });

  it('may be their own threshold', () => {
    const targets = {
      fraud_rate: { target: 0.01, threshold: 0.01 },
      avs_match_rate: { target: 0.8, threshold: 0.8 },
    };
    expect(() => fraudFigures([], targets)).not.toThrow();
  });

  it.each<[targets: Parameters<typeof fraudFigures>[1], message: string]>([
    [
      { fraud_rate: { target: 0.5, threshold: 0.4 } },
      'targets.fraud_rate.threshold: expected at least the target (0.5), got the number 0.4',
    ],
    [
      { avs_match_rate: { target: 0.5, threshold: 0.6 } },
      'targets.avs_match_rate.threshold: expected at most the target (0.5), got the number 0.6',
    ],
    [
      { fraud_rate: { target: 0.5, threshold: 50 } },
      'targets.fraud_rate.threshold: expected a number from 0 to 1, got the number 50',
    ],
    [
      { average_fraud_score: { target: 25, threshold: 101 } },
      'targets.average_fraud_score.threshold: expected a number from 0 to 100, got the number 101',
    ],
  ])('are refused if they are wrong: %j', (targets, message) => {
    expect(() => fraudFigures([], targets)).toThrow(message);
  });

  it.each([
    // @ts-expect-error: not a metric
    () => fraudFigures([], { frauds: { target: 0, threshold: 1 } }),
    // @ts-expect-error: no threshold
    () => fraudFigures([], { fraud_rate: { target: 0 } }),
  ])('are refused if they are of the wrong kind', (make) => {
    expect(make).toThrow(ConfigurationError);
  });
});
