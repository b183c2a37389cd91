import type { Attributes, MeterProvider } from '@opentelemetry/api';
import { once } from '../base/functions.ts';
import type { RequestEvent, RetryEvent, ShedEvent } from '../http/client/hooks.ts';
import { operationName, serverOf } from './call-spans.ts';
import { meterOf } from './instrumentation-scope.ts';
import { counterOf } from './instruments.ts';

/** The hooks that record how a client bounds its load on the service. */
interface LoadHooks {
  readonly request: (event: RequestEvent) => void;
  readonly retry: (event: RetryEvent) => void;
  readonly shed: (event: ShedEvent) => void;
}

/** A retry budget, as the last attempt saw it. */
interface Budget {
  left: number;
  readonly attributes: Attributes;
}

/** Returns hooks that count retries and what was not sent, and a gauge of what is left of the retry budget. */
export function loadHooks(meterProvider: MeterProvider): LoadHooks {
  const countRetry = counterOf(meterProvider, 'payments.call.retries', {
    description: 'Number of retries.',
    unit: '{retry}',
  });
  const countShed = counterOf(meterProvider, 'payments.call.shed', {
    description:
      'Number of calls that were not sent, and of retries that were not made, at a bound of the client.',
    unit: '{call}',
  });
  const budgets = new Map<string, Budget>();
  // Lazily, as counters.
  const gauge = once(() => {
    const made = meterOf(meterProvider).createObservableGauge('payments.retry_budget.left', {
      description: 'Number of retries that may be made before calls succeed again.',
      unit: '{retry}',
    });
    made.addCallback((result) => {
      for (const { left, attributes } of budgets.values()) result.observe(left, attributes);
    });
    return made;
  });
  return {
    request: ({ baseUrl, retriesLeft }) => {
      const known = budgets.get(baseUrl);
      if (known === undefined) budgets.set(baseUrl, { left: retriesLeft, attributes: serverOf(baseUrl) });
      else known.left = retriesLeft;
      gauge();
    },
    retry: ({ operation, error }) =>
      countRetry(1, { 'payments.operation': operationName(operation), 'error.type': error.name }),
    shed: ({ operation, what }) =>
      countShed(1, { 'payments.operation': operationName(operation), 'payments.shed': what }),
  };
}
