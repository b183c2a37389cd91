import type { Meter, MeterProvider, Tracer, TracerProvider } from '@opentelemetry/api';
import { version } from '../base/runtime/version.ts';

/** The version of the semantic conventions that all names here follow. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.45.0';

export function tracerOf(provider: TracerProvider): Tracer {
  return provider.getTracer('payments-client', version, { schemaUrl });
}

export function meterOf(provider: MeterProvider): Meter {
  return provider.getMeter('payments-client', version, { schemaUrl });
}
