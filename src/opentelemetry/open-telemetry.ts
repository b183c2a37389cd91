import { metrics, trace } from '@opentelemetry/api';
import { type AroundAttempt, aroundAttempt } from '../base/around-attempt.ts';
import { checkOptions } from '../base/check-options.ts';
import type { PaymentsError } from '../base/errors.ts';
import { optionsOf } from '../base/options.ts';
import { boolean, optional } from '../base/schema.ts';
import type { Hooks } from '../http/hooks.ts';
import { CallSpans } from './call-spans.ts';
import { durationOf } from './duration.ts';
import { providerFields, type TelemetryProviders, tracerOf } from './instrumentation-scope.ts';

/** Options of {@link openTelemetry}. */
export interface OpenTelemetryOptions extends TelemetryProviders {
  /**
   * Whether to record a client span and `http.client.request.duration` for each attempt. Set it to false if an
   * instrumentation of `node:http` or `fetch` does both: its spans are then children of the call's span. Default: true.
   */
  readonly attemptSpans?: boolean | undefined;
}

const optionsSchema = optionsOf<OpenTelemetryOptions>({
  ...providerFields,
  attemptSpans: optional(boolean()),
});

/** The result of an attempt without a complete response. Only codes from the SDK and the runtime are recorded. */
function failure(error: PaymentsError | undefined) {
  return { type: error?.code, requestId: error?.requestId };
}

/**
 * Returns hooks that record a span for each call, a client span for each of its attempts, and the metric
 * `http.client.request.duration`, following the semantic conventions for HTTP clients. Each request is sent within the
 * span of its attempt. The hook `error` stays free for your own use.
 *
 * @throws ConfigurationError for a wrong or unknown option.
 *
 * @example
 * const payments = new PaymentsClient({ hooks: openTelemetry() });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Hooks {
  checkOptions('openTelemetry', optionsSchema, options);
  const { tracerProvider = trace, meterProvider = metrics, attemptSpans = true } = options;
  const tracer = tracerOf(tracerProvider);
  const description = 'Duration of HTTP client requests.';
  const record = durationOf(meterProvider, 'http.client.request.duration', description);
  const recordAttempt = attemptSpans ? record : undefined;
  const calls = new Map<string, CallSpans>();
  const around: AroundAttempt = (callId, send) => calls.get(callId)?.within(send);
  const hooks: Hooks = {
    start: (event) => calls.set(event.callId, new CallSpans(tracer, recordAttempt, event)),
    request: (event) => calls.get(event.callId)?.startAttempt(event),
    response: ({ callId, status, requestId, idempotentReplayed }) => {
      const call = calls.get(callId);
      call?.endAttempt({ status, requestId, type: status >= 400 ? String(status) : undefined });
      call?.replayed(idempotentReplayed);
    },
    retry: ({ callId, error }) => calls.get(callId)?.endAttempt(failure(error)),
    end: (event) => {
      const call = calls.get(event.callId);
      calls.delete(event.callId);
      try {
        call?.endAttempt(failure(event.error));
      } finally {
        call?.end(event);
      }
    },
  };
  return Object.assign(hooks, { [aroundAttempt]: around });
}
