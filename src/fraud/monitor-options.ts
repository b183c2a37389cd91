import { functionOf, integerFrom, numberFrom, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { day, hour, second } from '../base/time.ts';
import { clockOf } from './clock.ts';
import { type FraudMetric, type FraudMetricName, type FraudTarget, fraudMetrics } from './metrics.ts';
import { checkShape, refuseRange } from './refuse.ts';

/** Options of a fraud monitor. */
export interface FraudMonitorOptions {
  /** How far back figures reach, in milliseconds: a multiple of `bucketMs`. Default: 30 days. */
  readonly windowMs?: number | undefined;
  /** In which steps the window moves on, in milliseconds; at most 10,000 make up the window. Default: an hour. */
  readonly bucketMs?: number | undefined;
  /** Targets and thresholds of your own. Default: those of the interface. */
  readonly targets?: Readonly<Partial<Record<FraudMetricName, FraudTarget | undefined>>> | undefined;
  /** The present time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Options with nothing left out. */
export interface CheckedMonitorOptions {
  readonly windowMs: number;
  readonly bucketMs: number;
  readonly metrics: readonly FraudMetric[];
  readonly now: () => number;
}

function target(max: number): s.Schema<FraudTarget | undefined> {
  return s.optional(optionsOf<FraudTarget>({ target: numberFrom(0, max), threshold: numberFrom(0, max) }));
}

const share = () => target(1);
const score = () => target(100);

const optionsSchema = optionsOf<FraudMonitorOptions>({
  // Its bounds depend on the buckets.
  windowMs: unchecked(),
  bucketMs: s.optional(integerFrom(second, 366 * day)),
  targets: s.optional(
    optionsOf<NonNullable<FraudMonitorOptions['targets']>>({
      fraud_rate: share(),
      chargeback_rate: share(),
      three_d_secure_success: share(),
      avs_match_rate: share(),
      cvv_match_rate: share(),
      average_fraud_score: score(),
    }),
  ),
  now: s.optional(functionOf<() => number>()),
});

/**
 * The options with their defaults.
 *
 * @throws TypeError for an option of the wrong kind or a name that is not known.
 * @throws RangeError for times out of bounds, and for a threshold on the wrong side of its target.
 */
export function checkMonitorOptions(options: FraudMonitorOptions): CheckedMonitorOptions {
  checkShape('FraudMonitor', optionsSchema, options);
  const { bucketMs = hour, windowMs = 30 * day, targets = {}, now } = options;
  checkShape('FraudMonitor.windowMs', integerFrom(bucketMs, 10_000 * bucketMs), windowMs);
  if (windowMs % bucketMs !== 0) {
    refuseRange('FraudMonitor.windowMs', `a multiple of bucketMs (${bucketMs})`, windowMs);
  }
  const metrics = fraudMetrics.map((metric) => withTarget(metric, targets[metric.metric]));
  return { windowMs, bucketMs, metrics, now: clockOf('FraudMonitor.now', now) };
}

function withTarget(metric: FraudMetric, own: FraudTarget | undefined): FraudMetric {
  if (own === undefined) return metric;
  const { target, threshold } = own;
  if (metric.better === 'lower' ? threshold >= target : threshold <= target) {
    return { ...metric, target, threshold };
  }
  const side = metric.better === 'lower' ? 'least' : 'most';
  const path = `FraudMonitor.targets.${metric.metric}.threshold`;
  return refuseRange(path, `at ${side} the target (${target})`, threshold);
}
