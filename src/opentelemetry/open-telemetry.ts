import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import type { PaymentsError } from '../base/errors.ts';
import { formatIssue, issueWithin } from '../base/issue.ts';
import { having, optionsOf } from '../base/options.ts';
import { optional } from '../base/schema.ts';
import { firstFlaw } from '../base/validation.ts';
import { version } from '../base/version.ts';
import type { Hooks } from '../http/hooks.ts';
import { CallSpans } from './call-spans.ts';
import { durationOf } from './duration.ts';

/** Where traces and metrics go. */
export interface OpenTelemetryOptions {
  /** Makes the tracer. Default: the global provider. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Makes the meter. Default: the global provider. */
  readonly meterProvider?: MeterProvider | undefined;
}

const optionsSchema = optionsOf<OpenTelemetryOptions>({
  tracerProvider: optional(having<TracerProvider>('a provider with getTracer', 'getTracer')),
  meterProvider: optional(having<MeterProvider>('a provider with getMeter', 'getMeter')),
});

/** What became of an attempt without a whole response: only the SDK and the runtime give its error a code. */
function failure(error: PaymentsError | undefined) {
  return { type: error?.code, requestId: error?.requestId };
}

/**
 * Hooks that make a span of each call, a client span of each of its attempts, and the metric `http.client.request.duration`, by the
 * semantic conventions for HTTP clients. The hook `error` is left to you.
 *
 * @throws TypeError for an option that is wrong or not known.
 *
 * @example
 * const payments = new PaymentsClient({ hooks: openTelemetry() });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Hooks {
  const flaw = firstFlaw(optionsSchema, options);
  if (flaw !== undefined) throw new TypeError(`${formatIssue(issueWithin('openTelemetry', flaw))}.`);
  const { tracerProvider = trace, meterProvider = metrics } = options;
  const tracer = tracerProvider.getTracer('payments-client', version);
  const recordDuration = durationOf(meterProvider);
  const calls = new Map<string, CallSpans>();
  return {
    start: (event) => calls.set(event.callId, new CallSpans(tracer, recordDuration, event)),
    request: (event) => calls.get(event.callId)?.startAttempt(event),
    response: ({ callId, status, requestId, idempotentReplayed }) => {
      const call = calls.get(callId);
      call?.endAttempt({ status, requestId, type: status >= 400 ? String(status) : undefined });
      call?.replayed(idempotentReplayed);
    },
    retry: ({ callId, error }) => calls.get(callId)?.endAttempt(failure(error)),
    end: (event) => {
      const call = calls.get(event.callId);
      call?.endAttempt(failure(event.error));
      call?.end(event);
      calls.delete(event.callId);
    },
  };
}
