import type { Attributes, Context, Histogram, MeterProvider } from '@opentelemetry/api';
import { meterOf } from './instrumentation-scope.ts';

/** The conventional bucket boundaries, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Records a duration, in seconds. */
export type RecordDuration = (seconds: number, attributes: Attributes, context: Context) => void;

/** Creates a conventional histogram lazily: until the program has set up its metrics, the global provider records nothing. */
export function durationOf(meterProvider: MeterProvider, name: string, description: string): RecordDuration {
  let histogram: Histogram | undefined;
  return (...measurement) => {
    histogram ??= meterOf(meterProvider).createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries },
    });
    histogram.record(...measurement);
  };
}
