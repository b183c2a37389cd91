import type { Meter, MeterProvider, Tracer, TracerProvider } from '@opentelemetry/api';
import { having } from '../base/options.ts';
import { optional } from '../base/schema.ts';
import { version } from '../base/version.ts';

/** The providers of traces and metrics. */
export type TelemetryProviders = {
  /** Creates the tracer. Default: the global provider. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Creates the meter. Default: the global provider. */
  readonly meterProvider?: MeterProvider | undefined;
};

/** The schemas of the providers. */
export const providerFields = {
  tracerProvider: optional(having<TracerProvider>('a provider with getTracer', 'getTracer')),
  meterProvider: optional(having<MeterProvider>('a provider with getMeter', 'getMeter')),
};

/** The version of the semantic conventions that all names here follow. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.45.0';

export function tracerOf(provider: TracerProvider): Tracer {
  return provider.getTracer('payments-client', version, { schemaUrl });
}

export function meterOf(provider: MeterProvider): Meter {
  return provider.getMeter('payments-client', version, { schemaUrl });
}
