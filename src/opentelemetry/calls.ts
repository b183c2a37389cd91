import type { MeterProvider, Tracer } from '@opentelemetry/api';
import type { PaymentsError } from '../base/errors.ts';
import { type AroundAttempt, aroundAttempt } from '../base/functions.ts';
import type { EndEvent, Hooks } from '../http/client/hooks.ts';
import { CallSpans, operationName } from './call-spans.ts';
import { conventionalBounds, counterOf, histogramOf } from './instruments.ts';
import { loadHooks } from './load.ts';

/** The result of an attempt without a complete response. Only codes from the SDK and the runtime are recorded. */
function failure(error: PaymentsError | undefined) {
  return { type: error?.code, requestId: error?.requestId };
}

/** From a fast read to a call whose every attempt timed out, in seconds. */
const callBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 7.5, 10, 30, 60, 120];

/** Returns a recorder of the metrics of a call. */
function callMetrics(meterProvider: MeterProvider): (event: EndEvent) => void {
  const count = counterOf(meterProvider, 'payments.calls', {
    description: 'Number of calls that ended.',
    unit: '{call}',
  });
  const recordDuration = histogramOf(meterProvider, 'payments.call.duration', callBounds, {
    description: 'Duration of calls, with all attempts and the waits between them.',
    unit: 's',
  });
  return ({ operation, outcome, duration, error }) => {
    const attributes = { 'payments.operation': operationName(operation), 'payments.outcome': outcome };
    count(1, error === undefined ? attributes : { ...attributes, 'error.type': error.name });
    recordDuration(duration / 1000, attributes);
  };
}

/** Returns the hooks that record the spans and the metrics of calls, and those of their attempts if these are measured. */
export function callHooks(tracer: Tracer, meterProvider: MeterProvider, attemptSpans: boolean): Hooks {
  const record = histogramOf(meterProvider, 'http.client.request.duration', conventionalBounds, {
    description: 'Duration of HTTP client requests.',
    unit: 's',
  });
  const recordAttempt = attemptSpans ? record : undefined;
  const recordCall = callMetrics(meterProvider);
  const load = loadHooks(meterProvider);
  const calls = new Map<string, CallSpans>();
  const around: AroundAttempt = (callId, send) => calls.get(callId)?.within(send);
  const hooks: Hooks = {
    start: (event) => calls.set(event.callId, new CallSpans(tracer, recordAttempt, event)),
    request: (event) => {
      calls.get(event.callId)?.startAttempt(event);
      load.request(event);
    },
    response: ({ callId, status, requestId, idempotentReplayed }) => {
      const call = calls.get(callId);
      call?.endAttempt({ status, requestId, type: status >= 400 ? String(status) : undefined });
      call?.replayed(idempotentReplayed);
    },
    retry: (event) => {
      calls.get(event.callId)?.endAttempt(failure(event.error));
      load.retry(event);
    },
    shed: load.shed,
    end: (event) => {
      const call = calls.get(event.callId);
      calls.delete(event.callId);
      try {
        call?.endAttempt(failure(event.error));
      } finally {
        call?.end(event);
      }
      recordCall(event);
    },
  };
  return Object.assign(hooks, { [aroundAttempt]: around });
}
