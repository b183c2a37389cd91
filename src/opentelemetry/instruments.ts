import type {
  Attributes,
  Context,
  Counter,
  Histogram,
  MeterProvider,
  MetricOptions,
} from '@opentelemetry/api';
import { meterOf } from './instrumentation-scope.ts';

/** Records a value, or adds it to a counter. */
export type Measure = (value: number, attributes: Attributes, context?: Context) => void;

/** The conventional bounds of durations, in seconds. */
export const conventionalBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Creates a histogram lazily: until the program has set up its metrics, the global provider records nothing. */
export function histogramOf(
  meterProvider: MeterProvider,
  name: string,
  explicitBucketBoundaries: number[],
  options: Pick<MetricOptions, 'description' | 'unit'>,
): Measure {
  let histogram: Histogram | undefined;
  return (...measurement) => {
    const advice = { explicitBucketBoundaries };
    histogram ??= meterOf(meterProvider).createHistogram(name, { ...options, advice });
    histogram.record(...measurement);
  };
}

/** Creates a counter lazily, as a histogram. */
export function counterOf(
  meterProvider: MeterProvider,
  name: string,
  options: Pick<MetricOptions, 'description' | 'unit'>,
): Measure {
  let counter: Counter | undefined;
  return (...measurement) => {
    counter ??= meterOf(meterProvider).createCounter(name, options);
    counter.add(...measurement);
  };
}
