/** The examples of `openapi.json`: the sandbox's responses to a sequence of calls, and its events. Deterministic. */

import { PaymentsClient } from '../../../src/client.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import type { KnownWebhookEvent, WebhookEventType } from '../../../src/webhooks/events/event.ts';
import { makeCalls } from './calls.ts';
import { type Exchange, Recorder } from './recorder.ts';

export interface Examples {
  /** Returns the first success of an operation, such as `refunds.create`. */
  readonly success: (operation: string) => Exchange;
  /** Returns all successes of an operation. */
  readonly successes: (operation: string) => readonly Exchange[];
  /** Returns the error bodies with a status, by code. */
  readonly refusals: (status: number) => Readonly<Record<string, unknown>>;
  /** Returns an event of a type. */
  readonly event: (type: WebhookEventType) => KnownWebhookEvent;
}

const options = {
  startsAt: Date.UTC(2026, 0, 5),
  // Without a seed each run would create other ids.
  seed: 'examples',
  secretKey: 'sk_v1_test_example',
  securityKey: 'example_security_key',
  publicKey: 'pk_v1_test_example',
};

export async function recordExamples(): Promise<Examples> {
  const sandbox = createSandbox(options);
  const recorder = new Recorder(sandbox.fetch);
  const { secretKey, securityKey, url: baseUrl } = sandbox;
  const { fetch } = recorder;
  const payments = new PaymentsClient({ baseUrl, secretKey, securityKey, fetch, maxRetries: 0 });
  await makeCalls({ sandbox, payments, send: fetch });
  const eventSandbox = createSandbox(options);
  return {
    success: (operation) => {
      const [first] = recorder.successes(operation);
      if (first === undefined)
        throw new Error(`Expected a successful call of ${operation} in calls.ts, got none.`);
      return first;
    },
    successes: (operation) => recorder.successes(operation),
    refusals: (status) => recorder.refusals(status),
    event: (type) => eventSandbox.trigger(type),
  };
}
