import { day, hour, second } from '../base/time.ts';
import { type FraudMetric, type FraudMetricName, type FraudTarget, fraudMetrics } from './metrics.ts';
import { Options } from './options.ts';
import { problem } from './refuse.ts';

/** Options of a fraud monitor. */
export interface FraudMonitorOptions {
  /** How far back figures reach, in milliseconds: a multiple of `bucketMs`. Default: 30 days. */
  readonly windowMs?: number | undefined;
  /** In which steps the window moves on, in milliseconds; at most 10,000 make up the window. Default: an hour. */
  readonly bucketMs?: number | undefined;
  /** Targets and thresholds of your own. Default: those of the interface. */
  readonly targets?: Readonly<Partial<Record<FraudMetricName, FraudTarget>>> | undefined;
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

/**
 * The options with their defaults.
 *
 * @throws TypeError for an option of the wrong kind or a name that is not known.
 * @throws RangeError for times out of bounds, and for a threshold on the wrong side of its target.
 */
export function checkMonitorOptions(options: unknown): CheckedMonitorOptions {
  const checked = new Options('FraudMonitor', options, ['windowMs', 'bucketMs', 'targets', 'now']);
  const bucketMs = checked.integer('bucketMs', second, 366 * day, hour);
  const windowMs = checked.integer('windowMs', bucketMs, 10_000 * bucketMs, 30 * day);
  if (windowMs % bucketMs !== 0) {
    const expected = `a multiple of bucketMs (${bucketMs})`;
    throw new RangeError(problem(checked.path('windowMs'), expected, `the number ${windowMs}`));
  }
  return { windowMs, bucketMs, metrics: withTargets(checked), now: checked.clock('now') };
}

function withTargets(monitor: Options): FraudMetric[] {
  const names = fraudMetrics.map(({ metric }) => metric);
  const targets = new Options(monitor.path('targets'), monitor.get('targets'), names);
  return fraudMetrics.map((metric) => withTarget(targets, metric));
}

function withTarget(targets: Options, metric: FraudMetric): FraudMetric {
  const given = targets.get(metric.metric);
  if (given === undefined) return metric;
  const path = targets.path(metric.metric);
  const options = new Options(path, given, ['target', 'threshold']);
  const max = metric.unit === 'share' ? 1 : 100;
  const target = options.number('target', 0, max);
  const threshold = options.number('threshold', 0, max);
  if (metric.better === 'lower' ? threshold >= target : threshold <= target) {
    return { ...metric, target, threshold };
  }
  const side = metric.better === 'lower' ? 'least' : 'most';
  throw new RangeError(
    problem(`${path}.threshold`, `at ${side} the target (${target})`, `the number ${threshold}`),
  );
}
