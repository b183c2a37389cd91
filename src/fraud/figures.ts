import { checkOptions } from '../base/check-options.ts';
import { type FieldsOf, integerFrom, numberFrom, optionsOf } from '../base/options.ts';
import { refuseValue } from '../base/refuse.ts';
import * as s from '../base/schema.ts';
import { countFraud, type FraudCounts, type FraudRecord } from './counts.ts';
import {
  type FraudFigure,
  type FraudMetric,
  type FraudMetricName,
  type FraudStatus,
  type FraudTarget,
  fraudMetrics,
} from './metrics.ts';

/** Your own targets; a figure without one keeps the interface's target. */
type FraudTargets = Readonly<Partial<Record<FraudMetricName, FraudTarget | undefined>>>;

const amount = s.lazily(() => integerFrom(0));
const countFields: FieldsOf<FraudCounts> = {
  transactions: amount,
  frauds: amount,
  chargebacks: amount,
  authentications: amount,
  authenticated: amount,
  avsChecked: amount,
  avsMatched: amount,
  cvvChecked: amount,
  cvvMatched: amount,
  scored: amount,
  scoreSum: amount,
};
const countsSchema = s.lazily(() => s.object(countFields));

function target(max: number): s.Schema<FraudTarget | undefined> {
  return s.optional(
    optionsOf<FraudTarget>(() => ({ target: numberFrom(0, max), threshold: numberFrom(0, max) })),
  );
}

const targetsSchema = optionsOf<FraudTargets>(() => ({
  fraud_rate: target(1),
  chargeback_rate: target(1),
  three_d_secure_success: target(1),
  avs_match_rate: target(1),
  cvv_match_rate: target(1),
  average_fraud_score: target(100),
}));

/**
 * Returns the six figures that the interface recommends to monitor, in its order, each with its status.
 *
 * @param of The rows of the period that you want, or their counts from the SQL in `docs/fraud.md`.
 * @throws ConfigurationError for a row with a field of the wrong kind, such as `approved: 1`, for wrong counts or targets, such as the text that some drivers return for a bigint, and for a
 *   threshold on the wrong side of its target.
 *
 * @example
 * for (const { name, status, action } of fraudFigures(rows))
 *   if (status === 'action') alert(`${name}: ${action}`);
 */
export function fraudFigures(
  of: Iterable<FraudRecord> | FraudCounts,
  targets: FraudTargets = {},
): FraudFigure[] {
  const counts = countsOf(of);
  checkOptions('targets', targetsSchema, targets, targetAdvice);
  return fraudMetrics.map((metric) => figureOf(withTarget(metric, targets[metric.metric]), counts));
}

function countsOf(of: Iterable<FraudRecord> | FraudCounts): FraudCounts {
  if (isIterable(of)) return countFraud(of);
  checkOptions('counts', countsSchema, of, 'Pass rows, or convert the counts of your query to numbers.');
  return of;
}

function isIterable(of: object): of is Iterable<FraudRecord> {
  return typeof Object(of)[Symbol.iterator] === 'function';
}

const targetAdvice = 'Correct your target, or omit it for that of the interface.';

function withTarget(metric: FraudMetric, own: FraudTarget | undefined): FraudMetric {
  if (own === undefined) return metric;
  const { target, threshold } = own;
  if (metric.better === 'lower' ? threshold >= target : threshold <= target) {
    return { ...metric, target, threshold };
  }
  const side = metric.better === 'lower' ? 'least' : 'most';
  const path = `targets.${metric.metric}.threshold`;
  return refuseValue(path, `at ${side} the target (${target})`, threshold, targetAdvice);
}

function figureOf({ of, per, ...metric }: FraudMetric, counts: FraudCounts): FraudFigure {
  const sample = counts[per];
  const value = sample === 0 ? undefined : counts[of] / sample;
  return { ...metric, value, sample, status: statusOf(metric, value, counts[of]) };
}

/** A chargeback in a period without transactions belongs to an earlier one: there is no share, but it needs action. */
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
