import { ConfigurationError } from 'payments-client';
import { type FraudFigure, type FraudRecord, fraudFigures } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../../interface/tables/fraud.json' with { type: 'json' };
import { anything } from '../../support/anything.ts';
import { noCounts } from '../records.ts';

type Metric = FraudFigure['metric'];
type Status = FraudFigure['status'];

const repeated = (times: number, record: FraudRecord) => Array.from({ length: times }, () => record);
const figureOf = (records: readonly FraudRecord[], metric: Metric) =>
  fraudFigures(records).find((figure) => figure.metric === metric);

const approved = { approved: true };
const statuses: readonly Status[] = ['on_target', 'watch', 'watch', 'action'];

/** A share: how many of a sample are on target, at the target, at the threshold and beyond it, of which records. */
const shares: readonly (readonly [
  metric: Metric,
  sample: number,
  counted: readonly number[],
  counts: FraudRecord,
  others: FraudRecord,
  uncounted: FraudRecord,
])[] = [
  ['fraud_rate', 1000, [4, 5, 10, 11], { ...approved, is_fraud: true }, approved, { approved: false }],
  [
    'chargeback_rate',
    1000,
    [8, 9, 10, 11],
    { ...approved, chargeback_reason: '13.1' },
    approved,
    { approved: false },
  ],
  [
    'three_d_secure_success',
    100,
    [96, 95, 90, 89],
    { authenticated: true },
    { authenticated: false },
    { authenticated: null },
  ],
  [
    'avs_match_rate',
    100,
    [86, 85, 80, 79],
    { ...approved, avsresponse: 'X' },
    { approved: false, avsresponse: 'A' },
    { ...approved, avsresponse: 'U' },
  ],
  [
    'cvv_match_rate',
    100,
    [96, 95, 90, 89],
    { ...approved, cvvresponse: 'M' },
    { approved: false, cvvresponse: 'N' },
    { ...approved, cvvresponse: 'P' },
  ],
];

describe('fraudFigures', () => {
  it('has no data without records, but the targets', () => {
    const figures = fraudFigures([]);
    expect(figures).toMatchObject(
      repeated(6, {}).map(() => ({ status: 'no_data', value: undefined, sample: 0 })),
    );
    expect(figures.map(({ metric, unit, better }) => [metric, unit, better])).toEqual([
      ['fraud_rate', 'share', 'lower'],
      ['chargeback_rate', 'share', 'lower'],
      ['three_d_secure_success', 'share', 'higher'],
      ['avs_match_rate', 'share', 'higher'],
      ['cvv_match_rate', 'share', 'higher'],
      ['average_fraud_score', 'score', 'lower'],
    ]);
  });

  it.each(shares)(
    'has the %s of %i records on target, at the target, at the threshold and beyond: %j',
    (metric, sample, all, counts, others, uncounted) => {
      const figures = all.map((counted) => {
        const rows = [
          ...repeated(counted, counts),
          ...repeated(sample - counted, others),
          ...repeated(7, uncounted),
        ];
        return figureOf(rows, metric);
      });
      expect(figures).toMatchObject(
        all.map((counted, index) => ({ value: counted / sample, sample, status: statuses[index] })),
      );
    },
  );

  it.each([
    [[29, 30], 29.5, 'on_target'],
    [[30], 30, 'watch'],
    [[40], 40, 'watch'],
    [[40, 41], 40.5, 'action'],
    [[0], 0, 'on_target'],
  ])('has an average of the fraud scores %j: %d, %s', (scores, value, status) => {
    const records = [...scores.map((risk_score) => ({ ...approved, risk_score })), approved];
    const average = { value, sample: scores.length, status };
    expect(figureOf(records, 'average_fraud_score')).toMatchObject(average);
  });

  it('takes frauds and chargebacks apart', () => {
    const fraudulent = [{ ...approved, is_fraud: true }];
    expect(figureOf(fraudulent, 'chargeback_rate')).toMatchObject({ value: 0, status: 'on_target' });
    const disputed = [{ ...approved, chargeback_reason: '13.1' }];
    expect(figureOf(disputed, 'fraud_rate')).toMatchObject({ value: 0, status: 'on_target' });
  });

  it('needs action for a chargeback without a transaction', () => {
    const disputed = [{ chargeback_reason: '13.1' }];
    const action = { value: undefined, sample: 0, status: 'action' };
    expect(figureOf(disputed, 'chargeback_rate')).toMatchObject(action);
    expect(figureOf(disputed, 'fraud_rate')).toMatchObject({ ...action, status: 'no_data' });
  });

  it.each<[path: string, expected: string, of: unknown]>([
    ['counts', 'an object', undefined],
    ['counts.scored', 'an integer from 0', { ...noCounts, scored: 1.5 }],
    ['counts.frauds', 'an integer from 0', { ...noCounts, frauds: -1 }],
    ['counts.frauds', 'an integer from 0', { ...noCounts, frauds: '1' }],
    ['counts.scoreSum', 'an integer from 0', { ...noCounts, scoreSum: null }],
    ['records[1].approved', 'true or false', [approved, { approved: 1 }]],
    ['records[0].avsresponse', 'a string', [{ avsresponse: {} }]],
    ['records[0].risk_score', 'an integer from 0 to 100', [{ risk_score: 101 }]],
    ['records[0].risk_score', 'an integer from 0 to 100', [{ risk_score: 4929876512340988 }]],
    ['records[0].risk_score', 'an integer from 0 to 100', [{ risk_score: '12' }]],
    ['records[0]', 'an object', [null]],
  ])('refuses %s unless it is %s: %j', (path, expected, of) => {
    const issues = [{ path, expected, received: expect.not.stringContaining('4929876512340988') }];
    expect(() => fraudFigures(anything(of))).toThrow(expect.objectContaining({ issues }));
  });
});

describe('targets', () => {
  /** Formats a target like the interface: a share in percent, a score unchanged. */
  const text = (sign: '<' | '>', value: number, unit: FraudFigure['unit']) =>
    unit === 'share' ? `${sign} ${Number((value * 100).toFixed(3))}%` : `${sign} ${value}`;

  it('are those of the interface', () => {
    expect(
      fraudFigures([]).map(({ name, better, target, threshold, unit, action }) => ({
        metric: name,
        target: text(better === 'lower' ? '<' : '>', target, unit),
        threshold: text(better === 'lower' ? '>' : '<', threshold, unit),
        action,
      })),
    ).toEqual(fraud.targets);
  });

  it('replace those of the interface one by one, and may be their own threshold', () => {
    const counts = { ...noCounts, transactions: 999, frauds: 2, avsChecked: 10, avsMatched: 7 };
    const figures = fraudFigures(counts, {
      fraud_rate: { target: 0.001, threshold: 0.002 },
      avs_match_rate: { target: 0.7, threshold: 0.7 },
      average_fraud_score: { target: 25, threshold: 100 },
    });
    expect(figures).toMatchObject([
      { target: 0.001, threshold: 0.002, status: 'action' },
      { target: 0.009, threshold: 0.01, status: 'on_target' },
      { target: 0.95 },
      { target: 0.7, threshold: 0.7, status: 'watch' },
      { target: 0.95 },
      { target: 25, threshold: 100 },
    ]);
  });

  it.each<[path: string, expected: string, targets: object]>([
    ['fraud_rate.threshold', 'at least the target (0.5)', { fraud_rate: { target: 0.5, threshold: 0.4 } }],
    [
      'avs_match_rate.threshold',
      'at most the target (0.5)',
      { avs_match_rate: { target: 0.5, threshold: 0.6 } },
    ],
    ['fraud_rate.threshold', 'a number from 0 to 1', { fraud_rate: { target: 0.5, threshold: 50 } }],
    [
      'average_fraud_score.threshold',
      'a number from 0 to 100',
      { average_fraud_score: { target: 25, threshold: 101 } },
    ],
    ['fraud_rate.threshold', 'a number from 0 to 1', { fraud_rate: { target: 0 } }],
    ['frauds', 'one of fraud_rate', { frauds: { target: 0, threshold: 1 } }],
  ])('are refused if %s is not %s', (path, expected, targets) => {
    const act = () => fraudFigures([], anything(targets));
    expect(act).toThrow(ConfigurationError);
    expect(act).toThrow(`targets.${path}: expected ${expected}`);
  });
});
