/** What is counted of events, each an integer from 0. */
export interface FraudCounts {
  /** Approved transactions. */
  readonly transactions: number;
  /** Transactions found to be fraud. */
  readonly frauds: number;
  /** Chargebacks. */
  readonly chargebacks: number;
  /** Authentications by 3-D Secure that came to an end. */
  readonly authentications: number;
  /** Those of them that succeeded. */
  readonly authenticated: number;
  /** Address checks that compared something. */
  readonly avsChecked: number;
  /** Those of them in which all that was compared matched. */
  readonly avsMatched: number;
  /** Security-code checks that compared something. */
  readonly cvvChecked: number;
  /** Those of them that matched. */
  readonly cvvMatched: number;
  /** Transactions with a risk score. */
  readonly scored: number;
  /** Their scores together. */
  readonly scoreSum: number;
}

/** The names of what is counted. */
export const countNames = [
  'transactions',
  'frauds',
  'chargebacks',
  'authentications',
  'authenticated',
  'avsChecked',
  'avsMatched',
  'cvvChecked',
  'cvvMatched',
  'scored',
  'scoreSum',
] as const satisfies readonly (keyof FraudCounts)[];

/** The figures that the interface says to watch (*shown*). */
export type FraudMetricName =
  | 'fraud_rate'
  | 'chargeback_rate'
  | 'three_d_secure_success'
  | 'avs_match_rate'
  | 'cvv_match_rate'
  | 'average_fraud_score';

/** Where a figure should be, and where something is to be done. */
export interface FraudTarget {
  /** A share from 0 to 1, or a score from 0 to 100. The figure is on target beyond it, not at it. */
  readonly target: number;
  /** In the same unit. Something is to be done beyond it on the other side, not at it. */
  readonly threshold: number;
}

/** A figure that the interface says to watch. */
export interface FraudMetric extends FraudTarget {
  /** Which figure. */
  readonly metric: FraudMetricName;
  /** The interface's name for it. */
  readonly name: string;
  /** `share`: from 0 to 1. `score`: from 0 to 100. */
  readonly unit: 'share' | 'score';
  /** Which way is good: `lower` is on target below `target` and due above `threshold`, `higher` the other way round. */
  readonly better: 'lower' | 'higher';
  /** What the interface says about a figure beyond the threshold. */
  readonly action: string;
  /** What is divided (*inferred*: the interface does not define the figures). */
  readonly of: keyof FraudCounts;
  /** What it is divided by (*inferred*). */
  readonly per: keyof FraudCounts;
}

/** The monitoring targets of the interface (*shown*; guidance, which the service does not enforce). */
export const fraudMetrics: readonly FraudMetric[] = [
  {
    metric: 'fraud_rate',
    name: 'Fraud rate',
    unit: 'share',
    better: 'lower',
    target: 0.005,
    threshold: 0.01,
    action: 'review settings',
    of: 'frauds',
    per: 'transactions',
  },
  {
    metric: 'chargeback_rate',
    name: 'Chargeback rate',
    unit: 'share',
    better: 'lower',
    target: 0.009,
    threshold: 0.01,
    action: 'risk of penalties',
    of: 'chargebacks',
    per: 'transactions',
  },
  {
    metric: 'three_d_secure_success',
    name: '3-D Secure authentication success',
    unit: 'share',
    better: 'higher',
    target: 0.95,
    threshold: 0.9,
    action: 'review flow',
    of: 'authenticated',
    per: 'authentications',
  },
  {
    metric: 'avs_match_rate',
    name: 'AVS match rate',
    unit: 'share',
    better: 'higher',
    target: 0.85,
    threshold: 0.8,
    action: 'review requirements',
    of: 'avsMatched',
    per: 'avsChecked',
  },
  {
    metric: 'cvv_match_rate',
    name: 'CVV match rate',
    unit: 'share',
    better: 'higher',
    target: 0.95,
    threshold: 0.9,
    action: 'review requirements',
    of: 'cvvMatched',
    per: 'cvvChecked',
  },
  {
    metric: 'average_fraud_score',
    name: 'Average fraud score',
    unit: 'score',
    better: 'lower',
    target: 30,
    threshold: 40,
    action: 'tighten rules',
    of: 'scoreSum',
    per: 'scored',
  },
];

/**
 * How a figure stands: `on_target`; `watch`, between target and threshold, both included; `action`, beyond the
 * threshold; `no_data`, where nothing was counted.
 */
export type FraudStatus = 'on_target' | 'watch' | 'action' | 'no_data';

/** A figure, and how it stands. */
export interface FraudMetricReport extends Omit<FraudMetric, 'of' | 'per'> {
  /** The figure, in `unit`; `undefined` where there is nothing to divide by. */
  readonly value: number | undefined;
  /** How many events the figure is a share or a mean of; few make it unsteady. */
  readonly sample: number;
  /** How the figure stands; it calls for `action` where it is `action`. */
  readonly status: FraudStatus;
}

/** What counts come to for one figure. */
export function reportMetric({ of, per, ...metric }: FraudMetric, counts: FraudCounts): FraudMetricReport {
  const sample = counts[per];
  const value = sample === 0 ? undefined : counts[of] / sample;
  return { ...metric, value, sample, status: statusOf(metric, value, counts[of]) };
}

/** A chargeback in a window without a transaction belongs to an earlier one: no share, and yet no calm. */
function statusOf(
  { better, target, threshold }: Pick<FraudMetric, 'better' | 'target' | 'threshold'>,
  value: number | undefined,
  counted: number,
): FraudStatus {
  if (value === undefined) return counted > 0 ? 'action' : 'no_data';
  const isBetter = (a: number, b: number) => (better === 'lower' ? a < b : a > b);
  if (isBetter(value, target)) return 'on_target';
  return isBetter(threshold, value) ? 'action' : 'watch';
}
