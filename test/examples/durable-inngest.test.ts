/**
 * An order as a function of Inngest, which Inngest's own handler serves. This file plays the engine: it keeps what steps returned as JSON, crashes
 * at each request, and continues the function in a new process.
 */

import { type InngestFunction, NonRetriableError } from 'inngest';
import { serve } from 'inngest/edge';
import { PaymentDeclinedError, PaymentsError } from 'payments-client';
import type { Orders } from 'payments-client/orders';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inngest, payOrdersWith } from '../../examples/durable/inngest.ts';
import { order, testWorkflow } from './crash.ts';

beforeEach(() => {
  vi.stubEnv('INNGEST_DEV', '1'); // without it Inngest expects the signatures of its service
  vi.spyOn(console, 'error').mockReturnValue(undefined);
});

/** What a step came to, as Inngest sends it to a function. */
type Kept =
  | { readonly type: 'data'; readonly data: unknown }
  | { readonly type: 'error'; readonly error: unknown };

type Steps = Record<string, Kept>;

/** Runs a function from step to step until it returns. A later process continues it with the same steps. */
async function runToEnd(fn: InngestFunction.Any, steps: Steps): Promise<unknown> {
  const handler = serve({ client: inngest, functions: [fn] });
  const event = { name: 'order/placed', data: order };
  const url = `http://shop.example/api/inngest?fnId=shop-${fn.id()}&stepId=step`;
  for (;;) {
    const stack = { stack: Object.keys(steps), current: Object.keys(steps).length - 1 };
    const body = JSON.stringify({
      version: 2,
      event,
      events: [event],
      steps,
      ctx: { run_id: 'run-1', attempt: 0, use_api: false, stack },
    });
    const headers = { host: 'shop.example' };
    const response = await handler(new Request(url, { method: 'POST', headers, body }));
    const result: unknown = await response.json();
    if (response.status !== 206 || !Array.isArray(result)) return result;
    for (const { id, op, data, error } of result) {
      if (op === 'StepRun') steps[id] = { type: 'data', data };
      if (op === 'StepFailed') steps[id] = { type: 'error', error };
      // After a `StepError` Inngest runs the step again.
    }
  }
}

/** A function that goes on, whichever process runs it. */
function workflow() {
  const steps: Steps = {};
  return async (orders: Orders) => String(await runToEnd(payOrdersWith(orders), steps));
}

describe('an order as a function of Inngest', () => testWorkflow(workflow));

describe('an error that a step throws', () => {
  it('reaches the function without its fields, also as a cause', async () => {
    const declined = new PaymentDeclinedError('The card was declined.', { declineCode: '51' });
    const thrown = new NonRetriableError(declined.message, { cause: declined.toJSON() });
    const received: unknown[] = [];
    const fn = inngest.createFunction({ id: 'throws', triggers: { event: 'order/placed' } }, ({ step }) =>
      step
        .run('charge', () => Promise.reject(thrown))
        .catch((error: unknown) => {
          received.push(error);
        }),
    );
    await runToEnd(fn, {});
    const [error] = received;
    expect(error).toMatchObject({
      message: 'The card was declined.',
      cause: { message: 'The card was declined.' },
    });
    expect(PaymentsError.from(error)).toBeUndefined();
    expect(PaymentsError.from(Object(error).cause)).toBeUndefined();
  });
});
