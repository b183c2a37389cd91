import { refuseValue } from '../../base/errors.ts';
import { checkOptions, numberFrom, optionsOf } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { keysOf, mapTable } from '../codes/tables.ts';
import { countFraud, countsSchema, type FraudCounts, type FraudRecord } from './counts.ts';
import {
  type FraudFigure,
  type FraudMetricName,
  type FraudStatus,
  type FraudTarget,
  fraudMetrics,
} from './metrics.ts';

/** Your own targets; a figure without one keeps the interface's target. */
type FraudTargets = Readonly<Partial<Record<FraudMetricName, FraudTarget | undefined>>>;

const targetsSchema = /* @__PURE__ */ optionsOf<FraudTargets>(() =>
  mapTable(fraudMetrics, ({ unit }) => {
    const value = numberFrom(0, unit === 'share' ? 1 : 100);
    return s.optional(optionsOf<FraudTarget>(() => ({ target: value, threshold: value })));
  }),
);

/**
 * Returns the six figures that the interface recommends to monitor, in its order, each with its status.
 *
 * @param of The rows of the period that you want, or their counts from the SQL in `examples/fraud-figures.sql`.
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
  return keysOf(fraudMetrics).map((name) => figureOf(name, targets[name], counts));
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

function figureOf(metric: FraudMetricName, own: FraudTarget | undefined, counts: FraudCounts): FraudFigure {
  const { quotient, ...shown } = fraudMetrics[metric];
  const better = shown.target < shown.threshold ? 'lower' : 'higher';
  const { target, threshold } = own ?? shown;
  if (isBetter(better, threshold, target)) {
    const side = better === 'lower' ? 'least' : 'most';
    const expected = `at ${side} the target (${target})`;
    return refuseValue(`targets.${metric}.threshold`, expected, threshold, targetAdvice);
  }
  const [counted, sample] = [counts[quotient[0]], counts[quotient[1]]];
  const value = sample === 0 ? undefined : counted / sample;
  const figure = { ...shown, metric, better, target, threshold, value, sample } as const;
  return { ...figure, status: statusOf(figure, counted) };
}

function isBetter(better: FraudFigure['better'], a: number, b: number): boolean {
  return better === 'lower' ? a < b : a > b;
}

/** A chargeback in a period without transactions belongs to an earlier one: there is no share, but it needs action. */
function statusOf(
  { better, target, threshold, value }: Omit<FraudFigure, 'status'>,
  counted: number,
): FraudStatus {
  if (value === undefined) return counted > 0 ? 'action' : 'no_data';
  if (isBetter(better, value, target)) return 'on_target';
  return isBetter(better, threshold, value) ? 'action' : 'watch';
}
