import type { Attributes, MeterProvider, Tracer } from '@opentelemetry/api';
import type { PaymentsError } from '../base/errors.ts';
import { type AroundAttempt, aroundAttempt } from '../base/functions.ts';
import type { Hooks } from '../http/client/hooks.ts';
import { CallSpans, operationName } from './call-spans.ts';
import { conventionalBounds, counterOf, histogramOf } from './instruments.ts';
import { loadHooks } from './load.ts';

/** The result of an attempt without a complete response. Only codes from the SDK and the runtime are recorded. */
function failure(error: PaymentsError | undefined) {
  return { type: error?.code, requestId: error?.requestId };
}

function errorAttributes(operation: string, { name, outcome }: PaymentsError): Attributes {
  return { 'payments.operation': operationName(operation), 'payments.outcome': outcome, 'error.type': name };
}

/** Returns the hooks that record the spans and the errors of calls, and the spans of their attempts if these are measured. */
export function callHooks(tracer: Tracer, meterProvider: MeterProvider, attemptSpans: boolean): Hooks {
  const record = histogramOf(meterProvider, 'http.client.request.duration', conventionalBounds, {
    description: 'Duration of HTTP client requests.',
    unit: 's',
  });
  const recordAttempt = attemptSpans ? record : undefined;
  const countError = counterOf(meterProvider, 'payments.call.errors', {
    description: 'Number of calls that failed.',
    unit: '{call}',
  });
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
      if (event.error !== undefined) countError(1, errorAttributes(event.operation, event.error));
    },
  };
  return Object.assign(hooks, { [aroundAttempt]: around });
}
