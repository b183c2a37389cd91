import { metrics, trace } from '@opentelemetry/api';
import { type AroundAttempt, aroundAttempt } from '../base/around-attempt.ts';
import type { PaymentsError } from '../base/errors.ts';
import { optionsOf } from '../base/options.ts';
import { boolean, optional } from '../base/schema.ts';
import type { Hooks } from '../http/hooks.ts';
import { CallSpans } from './call-spans.ts';
import { checkOptions } from './check-options.ts';
import { durationOf } from './duration.ts';
import { providerFields, type TelemetryProviders, tracerOf } from './instrumentation-scope.ts';

/** Where traces and metrics of calls go, and what is in them. */
export interface OpenTelemetryOptions extends TelemetryProviders {
  /**
   * Whether each attempt has a client span and is counted in `http.client.request.duration`. Set it to false where an instrumentation of
   * `node:http` or of `fetch` does both: its spans are then below the span of the call. Default: true.
   */
  readonly attemptSpans?: boolean | undefined;
}

const optionsSchema = optionsOf<OpenTelemetryOptions>({
  ...providerFields,
  attemptSpans: optional(boolean()),
});

/** What became of an attempt without a whole response: only the SDK and the runtime give its error a code. */
function failure(error: PaymentsError | undefined) {
  return { type: error?.code, requestId: error?.requestId };
}

/**
 * Hooks that make a span of each call, a client span of each of its attempts, and the metric `http.client.request.duration`, by the
 * semantic conventions for HTTP clients. The request is sent within the span of its attempt. The hook `error` is left to you.
 *
 * @throws TypeError for an option that is wrong or not known.
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
      call?.endAttempt(failure(event.error));
      call?.end(event);
      calls.delete(event.callId);
    },
  };
  return Object.assign(hooks, { [aroundAttempt]: around });
}
