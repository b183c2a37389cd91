import type { Inline } from '../../base/runtime/runtime.ts';
import type { FraudCounts } from './counts.ts';

/** The figures that the interface recommends to monitor (*shown*). */
export type FraudMetricName = Inline<
  | 'fraud_rate'
  | 'chargeback_rate'
  | 'three_d_secure_success'
  | 'avs_match_rate'
  | 'cvv_match_rate'
  | 'average_fraud_score'
>;

/** The target of a figure, and the threshold for action. */
export type FraudTarget = {
  /** A share from 0 to 1, or a score from 0 to 100. A figure equal to the target is not on target. */
  readonly target: number;
  /** In the same unit. A figure equal to the threshold needs no action yet. */
  readonly threshold: number;
};

/**
 * The status of a figure: `on_target`; `watch`, from target to threshold, both inclusive; `action`, beyond the
 * threshold; `no_data`, if nothing was counted.
 */
export type FraudStatus = Inline<'on_target' | 'watch' | 'action' | 'no_data'>;

/** A figure and its status. */
export interface FraudFigure extends FraudTarget {
  /** The identifier of the figure. */
  readonly metric: FraudMetricName;
  /** The interface's name for it. */
  readonly name: string;
  /** `share`: from 0 to 1. `score`: from 0 to 100. */
  readonly unit: 'share' | 'score';
  /** The better direction. `lower`: on target below `target`, and needs action above `threshold`. `higher`: the reverse. */
  readonly better: 'lower' | 'higher';
  /** The interface's advice for a figure beyond the threshold. */
  readonly action: string;
  /** The figure, in `unit`; `undefined` if there is nothing to divide by. */
  readonly value: number | undefined;
  /** How many records the figure is based on. With a small sample the figure is unreliable. */
  readonly sample: number;
  /** The status; for `action`, see the report's `action`. */
  readonly status: FraudStatus;
}

/** What the interface says of a figure, and how to compute it. */
export interface FraudMetric extends Pick<FraudFigure, 'name' | 'unit' | 'action' | keyof FraudTarget> {
  /** The count to divide, and the one to divide by (*inferred*: the interface does not define the figures). */
  readonly quotient: readonly [keyof FraudCounts, keyof FraudCounts];
}

/** The figures in the order of the interface, with its targets (*shown*; guidance that the service does not enforce). */
export const fraudMetrics: Readonly<Record<FraudMetricName, FraudMetric>> = {
  fraud_rate: {
    name: 'Fraud rate',
    unit: 'share',
    target: 0.005,
    threshold: 0.01,
    action: 'review settings',
    quotient: ['frauds', 'transactions'],
  },
  chargeback_rate: {
    name: 'Chargeback rate',
    unit: 'share',
    target: 0.009,
    threshold: 0.01,
    action: 'risk of penalties',
    quotient: ['chargebacks', 'transactions'],
  },
  three_d_secure_success: {
    name: '3-D Secure authentication success',
    unit: 'share',
    target: 0.95,
    threshold: 0.9,
    action: 'review flow',
    quotient: ['authenticated', 'authentications'],
  },
  avs_match_rate: {
    name: 'AVS match rate',
    unit: 'share',
    target: 0.85,
    threshold: 0.8,
    action: 'review requirements',
    quotient: ['avsMatched', 'avsChecked'],
  },
  cvv_match_rate: {
    name: 'CVV match rate',
    unit: 'share',
    target: 0.95,
    threshold: 0.9,
    action: 'review requirements',
    quotient: ['cvvMatched', 'cvvChecked'],
  },
  average_fraud_score: {
    name: 'Average fraud score',
    unit: 'score',
    target: 30,
    threshold: 40,
    action: 'tighten rules',
    quotient: ['scoreSum', 'scored'],
  },
};
