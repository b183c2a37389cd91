import { FraudMonitor, readAvs, readCvv, readRisk } from 'payments-client/fraud';
import { describe, expect, it, vi } from 'vitest';
import { day, hour, monitorAt, start } from './monitors.ts';

function repeat(count: number, act: () => void): void {
  for (let index = 0; index < count; index += 1) act();
}

const approved = { approved: true };

describe('a fraud monitor', () => {
  it('has no data at first, and tells the targets', () => {
    const { monitor } = monitorAt();
    expect(
      monitor.report().map(({ metric, status, value, sample }) => [metric, status, value, sample]),
    ).toEqual(
      [
        'fraud_rate',
        'chargeback_rate',
        'three_d_secure_success',
        'avs_match_rate',
        'cvv_match_rate',
        'average_fraud_score',
      ].map((metric) => [metric, 'no_data', undefined, 0]),
    );
    expect(monitor.report()[0]).toEqual({
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
    const { monitor, metric } = monitorAt();
    repeat(transactions, () => monitor.recordTransaction(approved));
    repeat(frauds, () => monitor.recordFraud());
    expect(metric('fraud_rate')).toMatchObject({
      value: frauds / transactions,
      sample: transactions,
      status,
    });
    expect(metric('chargeback_rate')).toMatchObject({ value: 0, status: 'on_target' });
  });

  it.each([
    [8, 1000, 'on_target'],
    [9, 1000, 'watch'],
    [10, 1000, 'watch'],
    [11, 1000, 'action'],
  ])('has a chargeback rate of %i in %i: %s', (chargebacks, transactions, status) => {
    const { monitor, metric } = monitorAt();
    repeat(transactions, () => monitor.recordTransaction(approved));
    repeat(chargebacks, () => monitor.recordChargeback());
    expect(metric('chargeback_rate')).toMatchObject({ value: chargebacks / transactions, status });
    expect(metric('fraud_rate')).toMatchObject({ value: 0 });
  });

  it.each([
    [96, 'on_target'],
    [95, 'watch'],
    [90, 'watch'],
    [89, 'action'],
  ])('has a 3-D Secure success of %i in 100: %s', (successes, status) => {
    const { monitor, metric } = monitorAt();
    repeat(successes, () => monitor.recordThreeDSecure({ authenticated: true, cardholder_auth: 'Y' }));
    repeat(100 - successes, () => monitor.recordThreeDSecure({ authenticated: false }));
    monitor.recordThreeDSecure({ authenticated: false, status: 'challenge_required' });
    expect(metric('three_d_secure_success')).toMatchObject({ value: successes / 100, sample: 100, status });
  });

  it.each([
    [86, 'on_target'],
    [85, 'watch'],
    [80, 'watch'],
    [79, 'action'],
  ])('has an AVS match rate of %i in 100: %s', (matches, status) => {
    const { monitor, metric } = monitorAt();
    repeat(matches, () => monitor.recordTransaction({ ...approved, avs: readAvs('X') }));
    repeat(100 - matches, () => monitor.recordTransaction({ ...approved, avs: readAvs('A') }));
    repeat(7, () => monitor.recordTransaction({ ...approved, avs: readAvs('U') }));
    expect(metric('avs_match_rate')).toMatchObject({ value: matches / 100, sample: 100, status });
  });

  it.each([
    [96, 'on_target'],
    [95, 'watch'],
    [90, 'watch'],
    [89, 'action'],
  ])('has a CVV match rate of %i in 100: %s', (matches, status) => {
    const { monitor, metric } = monitorAt();
    repeat(matches, () => monitor.recordTransaction({ ...approved, cvv: readCvv('M') }));
    repeat(100 - matches, () => monitor.recordTransaction({ approved: false, cvv: readCvv('N') }));
    repeat(7, () => monitor.recordTransaction({ ...approved, cvv: readCvv('P') }));
    expect(metric('cvv_match_rate')).toMatchObject({ value: matches / 100, sample: 100, status });
  });

  it.each([
    [[29, 30], 29.5, 'on_target'],
    [[30], 30, 'watch'],
    [[40], 40, 'watch'],
    [[40, 41], 40.5, 'action'],
    [[0], 0, 'on_target'],
  ])('has an average of the fraud scores %j: %d, %s', (scores, value, status) => {
    const { monitor, metric } = monitorAt();
    for (const score of scores) {
      monitor.recordTransaction({ ...approved, risk: readRisk(String(score), 'A') });
    }
    monitor.recordTransaction({ ...approved, risk: readRisk('', 'A') });
    expect(metric('average_fraud_score')).toMatchObject({ value, sample: scores.length, status });
  });

  it.each([
    ['X', 1, 1],
    ['Y', 1, 1],
    ['A', 0, 1],
    ['W', 0, 1],
    ['Z', 0, 1],
    ['N', 0, 1],
    ['S', undefined, 0],
    ['Q', undefined, 0],
  ])('takes AVS %s for a match rate of %s in %i', (code, value, sample) => {
    const { monitor, metric } = monitorAt();
    monitor.recordTransaction({ approved: false, avs: readAvs(code) });
    expect(metric('avs_match_rate')).toMatchObject({ value, sample });
  });

  it('measures fraud by approved transactions', () => {
    const { monitor, metric } = monitorAt();
    monitor.recordTransaction(approved);
    repeat(3, () => monitor.recordTransaction({ approved: false }));
    monitor.recordFraud();
    expect(metric('fraud_rate')).toMatchObject({ value: 1, sample: 1 });
  });

  it.each([
    [{ reason_code: '10.4' }, 1],
    [{ reason_code: '10.9' }, 1],
    [{ reason_code: '13.1' }, 0],
    [{}, 0],
    [{ reason_code: '10.4', countsAsFraud: false }, 0],
    [{ reason_code: '13.1', countsAsFraud: true }, 1],
  ])('takes a chargeback %j for fraud: %i', (chargeback, frauds) => {
    const { monitor, metric } = monitorAt();
    monitor.recordTransaction(approved);
    monitor.recordChargeback(chargeback);
    expect(metric('chargeback_rate')?.value).toBe(1);
    expect(metric('fraud_rate')?.value).toBe(frauds);
  });

  it('is not calm about a chargeback without a transaction', () => {
    const { monitor, metric } = monitorAt();
    monitor.recordChargeback({ reason_code: '13.1' });
    expect(metric('chargeback_rate')).toMatchObject({ value: undefined, sample: 0, status: 'action' });
    expect(metric('fraud_rate')).toMatchObject({ status: 'no_data' });
  });
});

describe('the window', () => {
  it('moves on by buckets: what is in its last bucket counts, what is before does not', () => {
    const { monitor, at, metric } = monitorAt({ windowMs: 3 * hour, bucketMs: hour });
    monitor.recordTransaction(approved);
    at(2.5 * hour - 1);
    expect(metric('fraud_rate')?.sample).toBe(1);
    at(2.5 * hour);
    expect(metric('fraud_rate')?.sample).toBe(0);
  });

  it('takes an event at its own time', () => {
    const { monitor, at, metric } = monitorAt({ windowMs: 2 * hour, bucketMs: hour });
    monitor.recordTransaction(approved, new Date(start - hour));
    monitor.recordTransaction(approved, start - 2 * hour);
    expect(metric('fraud_rate')?.sample).toBe(1);
    at(0.5 * hour);
    expect(metric('fraud_rate')?.sample).toBe(0);
  });

  it('takes an event from the future for one of now', () => {
    const { monitor, at, metric } = monitorAt({ windowMs: 2 * hour, bucketMs: hour });
    monitor.recordTransaction(approved, start + 100 * day);
    expect(metric('fraud_rate')?.sample).toBe(1);
    at(2 * hour);
    expect(metric('fraud_rate')?.sample).toBe(0);
  });

  it('forgets as it goes, also where nobody asks for a report', () => {
    const { monitor, at } = monitorAt();
    monitor.recordTransaction(approved);
    at(31 * day);
    monitor.recordTransaction(approved);
    // Only a clock that goes back shows what was kept.
    at(0);
    expect(monitor.state().buckets).toHaveLength(1);
  });

  it('takes up nothing from before it', () => {
    const { monitor, at } = monitorAt({ windowMs: 2 * hour, bucketMs: hour });
    at(9 * hour);
    monitor.recordTransaction(approved, start);
    // Only a clock that goes back shows what was kept.
    at(0);
    expect(monitor.state().buckets).toEqual([]);
  });

  it('is 30 days of hours by default, and its memory is bounded', () => {
    const { monitor, at } = monitorAt();
    for (let index = 0; index < 2000; index += 1) {
      at(index * hour);
      monitor.recordTransaction(approved);
    }
    const { windowMs, bucketMs, buckets } = monitor.state();
    expect([windowMs, bucketMs, buckets.length]).toEqual([30 * day, hour, 720]);
    at(5000 * hour);
    expect(monitor.state().buckets).toEqual([]);
  });
});

describe('options', () => {
  it('take targets of your own', () => {
    const targets = { fraud_rate: { target: 0.001, threshold: 0.002 } };
    const { monitor, metric } = monitorAt({ targets });
    repeat(999, () => monitor.recordTransaction(approved));
    repeat(2, () => monitor.recordFraud());
    expect(metric('fraud_rate')).toMatchObject({ target: 0.001, threshold: 0.002, status: 'action' });
    expect(metric('chargeback_rate')).toMatchObject({ target: 0.009 });
  });

  it('take scores up to 100 for the average', () => {
    const { metric } = monitorAt({ targets: { average_fraud_score: { target: 25, threshold: 100 } } });
    expect(metric('average_fraud_score')).toMatchObject({ target: 25, threshold: 100 });
  });

  it('let a target be its own threshold', () => {
    const targets = {
      fraud_rate: { target: 0.01, threshold: 0.01 },
      avs_match_rate: { target: 0.8, threshold: 0.8 },
    };
    expect(() => new FraudMonitor({ targets })).not.toThrow();
  });

  it.each([
    [
      { windowMs: 1500, bucketMs: 1000 },
      'FraudMonitor.windowMs: expected a multiple of bucketMs (1000), got the number 1500',
    ],
    [
      { bucketMs: 10 },
      'FraudMonitor.bucketMs: expected an integer from 1000 to 31622400000, got the number 10',
    ],
    [
      { bucketMs: 1000, windowMs: 10_001_000 },
      'FraudMonitor.windowMs: expected an integer from 1000 to 10000000, got the number 10001000',
    ],
    [
      { targets: { fraud_rate: { target: 0.5, threshold: 0.4 } } },
      'FraudMonitor.targets.fraud_rate.threshold: expected at least the target (0.5), got the number 0.4',
    ],
    [
      { targets: { avs_match_rate: { target: 0.5, threshold: 0.6 } } },
      'FraudMonitor.targets.avs_match_rate.threshold: expected at most the target (0.5), got the number 0.6',
    ],
    [
      { targets: { fraud_rate: { target: 0.5, threshold: 50 } } },
      'FraudMonitor.targets.fraud_rate.threshold: expected a number from 0 to 1, got the number 50',
    ],
    [
      { targets: { average_fraud_score: { target: 25, threshold: 101 } } },
      'FraudMonitor.targets.average_fraud_score.threshold: expected a number from 0 to 100, got the number 101',
    ],
  ])('are refused when they are wrong: %j', (options, message) => {
    expect(() => new FraudMonitor(options)).toThrow(new RangeError(message));
  });

  it.each([
    // @ts-expect-error: not a metric
    () => new FraudMonitor({ targets: { frauds: { target: 0, threshold: 1 } } }),
    // @ts-expect-error: no threshold
    () => new FraudMonitor({ targets: { fraud_rate: { target: 0 } } }),
    () => new FraudMonitor().recordFraud(Number.NaN),
    () => new FraudMonitor().recordFraud(new Date('never')),
  ])('and times are refused when they are of the wrong kind', (make) => {
    expect(make).toThrow(TypeError);
  });
});

it('a chargeback without a reason is no fraud, and one that was found otherwise is', () => {
  const monitor = new FraudMonitor({ now: () => 0 });
  monitor.recordChargeback();
  monitor.recordChargeback({ countsAsFraud: true });
  expect(monitor.state().buckets).toMatchObject([{ chargebacks: 2, frauds: 1 }]);
});

it('a monitor without a clock takes the time of the machine', () => {
  const start = Date.UTC(2026, 0, 31, 12);
  vi.spyOn(Date, 'now').mockReturnValue(start + 1);
  const monitor = new FraudMonitor();
  monitor.recordFraud();
  monitor.recordFraud(new Date(start + 2));
  expect(monitor.state().buckets).toMatchObject([{ start, frauds: 2 }]);
});
