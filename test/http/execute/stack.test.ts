/** The stack of an error: its name and message, then the line of the caller, whatever the call was and however it was awaited. */

import { InvalidRequestError, type PaymentsClient, PaymentsError, ServerError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { product } from '../../support/fixtures.ts';
import { createClient, json } from '../../support/mock-service.ts';
import { everyForm } from '../forms.ts';

const options = { operationId: 'order-1', maxRetries: 0 };
const refund = { charge_id: 'ch_1' };

/** A client whose calls fail, each some time after it was made. A list has one page before it fails. */
function failingClient(more = {}): PaymentsClient {
  const fetch = async ({ url }: Request) => {
    await new Promise((resolve) => setImmediate(resolve));
    const isFirstPage = /limit=\d+$/.test(url);
    const page = { data: ['a', 'b', 'c'].map(product), has_more: true, next_cursor: 'c' };
    return isFirstPage ? json(page) : json({}, { status: 500 });
  };
  return createClient({ maxRetries: 0, fetch, ...more });
}

const journaled = () => failingClient({ journal: createJournal({ store: memoryStore() }) });
const wrong = anything({ charge_id: 1 });

const calls: readonly (readonly [what: string, call: (p: PaymentsClient) => PromiseLike<unknown>])[] = [
  ...everyForm.map(([name, { call }]) => [name, call] as const),
  ['withResponse', (p) => p.refunds.create(refund, options).withResponse()],
  ['Promise.all', (p) => Promise.all([p.refunds.retrieve('rf_1'), p.charges.retrieve('ch_1')])],
  ['refused parameters', (p) => p.refunds.create(wrong, options)],
  ['a refused option', (p) => p.refunds.create(refund, { ...options, timeout: -1 })],
  ['the refused parameters of a list', (p) => p.products.list({ limit: 0 })],
  ['nextPage', async (p) => (await p.products.list({ limit: 3 })).nextPage()],
  ['toArray', (p) => p.products.list({ limit: 3 }).toArray({ max: 100 })],
  ['waitFor', (p) => p.refunds.waitFor('rf_1')],
  ['a planned call', () => journaled().journal.plan().refunds.create(wrong, options)],
  [
    'a call that is awaited later',
    async (p) => {
      const call = p.refunds.retrieve('rf_1');
      await Promise.allSettled([call]);
      return call;
    },
  ],
  [
    'for await, on the next page',
    async (p) => {
      for await (const { id } of p.products.list({ limit: 3 })) expect(id).toBeDefined();
    },
  ],
  [
    'pages',
    async (p) => {
      for await (const page of p.products.list({ limit: 3 }).pages()) expect(page.hasMore).toBe(true);
    },
  ],
  [
    'an operation that is resumed',
    async () => {
      const { refunds, journal } = journaled();
      await failureOf(refunds.create(refund, options), ServerError);
      for await (const operation of journal.open()) await operation.resume();
    },
  ],
];

describe('the stack of an error', () => {
  it.each(calls)('has the line of its caller, and none of an attempt: %s', async (_name, call) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    async function theCaller() {
      await call(failingClient());
    }
    const error = await failureOf(theCaller(), PaymentsError);
    expect(error.stack).toMatch(/\btheCaller\b.*stack\.test\.ts:\d+/);
    expect(error.stack?.startsWith(`${error.name}: ${error.message}\n    at `)).toBe(true);
    expect(error.stack).not.toMatch(/attempt|retry|transport/);
  });

  it('may be anything that the program makes of stacks', async () => {
    vi.spyOn(Error, 'prepareStackTrace').mockReturnValue({});
    onTestFinished(() => void vi.restoreAllMocks());
    await failureOf(failingClient().refunds.retrieve('rf_1'), ServerError);
    await failureOf(failingClient().products.list().toArray({ max: 1 }), ServerError);
    const { refunds } = failingClient();
    await failureOf(refunds.create(refund, options), ServerError);
    const repeat = await failureOf(refunds.create(wrong, options), InvalidRequestError);
    expect(repeat).toMatchObject({ outcome: 'unknown', stack: {} });
  });

  it('may be missing, as may the function that shortens it', async () => {
    const { captureStackTrace } = Error;
    Reflect.deleteProperty(Error, 'captureStackTrace');
    onTestFinished(() => void Object.assign(Error, { captureStackTrace }));
    vi.spyOn(Error, 'prepareStackTrace').mockReturnValue(undefined);
    onTestFinished(() => void vi.restoreAllMocks());
    const payments = failingClient();
    await failureOf(payments.refunds.create(refund, options), ServerError);
    const repeat = await failureOf(payments.refunds.create(wrong, options), InvalidRequestError);
    expect(repeat).toMatchObject({ outcome: 'unknown', stack: undefined });
    const planned = journaled().journal.plan().refunds.create(wrong, options);
    await failureOf(planned, InvalidRequestError);
  });
});
