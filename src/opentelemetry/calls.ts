import type { MeterProvider, Tracer } from '@opentelemetry/api';
import { type AroundAttempt, aroundAttempt } from '../base/around-attempt.ts';
import type { PaymentsError } from '../base/errors.ts';
import type { Hooks } from '../http/hooks.ts';
import { CallSpans } from './call-spans.ts';
import { conventionalBounds, histogramOf } from './instruments.ts';

/** The result of an attempt without a complete response. Only codes from the SDK and the runtime are recorded. */
function failure(error: PaymentsError | undefined) {
  return { type: error?.code, requestId: error?.requestId };
}

/** Returns the hooks that record the spans of calls, and those of their attempts if these are measured. */
export function callHooks(tracer: Tracer, meterProvider: MeterProvider, attemptSpans: boolean): Hooks {
  const record = histogramOf(meterProvider, 'http.client.request.duration', conventionalBounds, {
    description: 'Duration of HTTP client requests.',
    unit: 's',
  });
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
