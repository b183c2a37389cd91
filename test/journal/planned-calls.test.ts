import { InvalidRequestError, RequestAbortedError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { expect, test } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import type { ClaimStore } from '../support/stores.ts';

const params = { amount: 1200, currency: 'usd' };
const options = { operationId: 'order-1' };

/** A client with a journal, and the names of the events of its calls. */
async function start(store: ClaimStore = memoryStore()) {
  const events: string[] = [];
  const names = ['start', 'request', 'response', 'retry', 'error', 'end'] as const;
  const hooks = Object.fromEntries(names.map((name) => [name, () => events.push(name)]));
  const payments = clientOf(await startSandbox(), { journal: { store }, hooks });
  return { payments, events };
}

test('a planned operation emits no event of a call, since nothing is sent', async () => {
  const { payments, events } = await start();
  await payments.journal.plan().paymentIntents.create(params, options);
  await failureOf(
    payments.journal.plan().paymentIntents.create(anything({ amount: 'many' }), options),
    InvalidRequestError,
  );
  expect(events).toEqual([]);
  await payments.paymentIntents.create(params, options);
  expect(events).toEqual(['start', 'request', 'response', 'end']);
});

test('a planned operation can be aborted while the store hangs', async () => {
  const { payments } = await start(Object.assign(memoryStore(), { claim: () => new Promise(() => {}) }));
  const controller = new AbortController();
  const planned = payments.journal
    .plan()
    .paymentIntents.create(params, { ...options, signal: controller.signal });
  setImmediate(() => controller.abort());
  expect((await failureOf(planned, RequestAbortedError)).outcome).toBe('not_executed');
});
