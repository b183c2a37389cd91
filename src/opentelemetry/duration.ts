import type { Attributes, Context, Histogram, MeterProvider } from '@opentelemetry/api';
import { version } from '../base/version.ts';

/** The conventional bounds, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Records how long requests take, in seconds. */
export type RecordDuration = (seconds: number, attributes: Attributes, context: Context) => void;

/** The conventional metric. It is made when it is first needed: until the program has set up its metrics, the global one is deaf. */
export function durationOf(meterProvider: MeterProvider): RecordDuration {
  let histogram: Histogram | undefined;
  return (...measurement) => {
    histogram ??= meterProvider
      .getMeter('payments-client', version)
      .createHistogram('http.client.request.duration', {
        description: 'Duration of HTTP client requests.',
        unit: 's',
        advice: { explicitBucketBoundaries },
      });
    histogram.record(...measurement);
  };
}
