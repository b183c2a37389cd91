/** The stack of an error: it begins with its name and message, and has the line of the caller, whatever the call was. */

import { PaymentsClient, PaymentsError, ServerError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { product } from '../../support/fixtures.ts';
import { json } from '../../support/mock-service.ts';

const options = { operationId: 'order-1' };
const refund = { charge_id: 'ch_1' };

/** A client whose calls fail, each some time after it was made. A list has one page before it fails. */
function failingClient(): PaymentsClient {
  return new PaymentsClient({
    baseUrl: 'https://payments.test',
    secretKey: 'sk_v1_test_stack',
    securityKey: 'security-key-stack',
    journal: { store: memoryStore() },
    maxRetries: 0,
    fetch: async ({ url }) => {
      await new Promise((resolve) => setImmediate(resolve));
      const isFirstPage = /limit=\d+$/.test(url);
      const page = { data: ['a', 'b', 'c'].map(product), has_more: true, next_cursor: 'c' };
      return isFirstPage ? json(page) : json({}, { status: 500 });
    },
  });
}

/** Each makes one call in a function with this name. */
const callers: Readonly<Record<string, (payments: PaymentsClient) => Promise<unknown>>> = {
  'a call that is awaited': async function theCaller(payments) {
    await payments.refunds.create(refund, options);
  },
  'a call that is awaited later': async function theCaller(payments) {
    const call = payments.refunds.retrieve('rf_1');
    await Promise.allSettled([call]);
    await call;
  },
  withResponse: async function theCaller(payments) {
    await payments.refunds.create(refund, options).withResponse();
  },
  'Promise.all': async function theCaller(payments) {
    await Promise.all([payments.refunds.retrieve('rf_1'), payments.charges.retrieve('ch_1')]);
  },
  'refused parameters': async function theCaller(payments) {
    await payments.refunds.create(anything({ charge_id: 1 }), options);
  },
  'a refused option': async function theCaller(payments) {
    await payments.refunds.create(refund, { ...options, timeout: -1 });
  },
  'the refused parameters of a list': async function theCaller(payments) {
    await payments.products.list({ limit: 0 });
  },
  'a list that is awaited': async function theCaller(payments) {
    await payments.products.list();
  },
  'for await': async function theCaller(payments) {
    for await (const { id } of payments.products.list()) expect(id).toBe('none');
  },
  'for await, on the next page': async function theCaller(payments) {
    for await (const { id } of payments.products.list({ limit: 3 })) expect(id).toBeDefined();
  },
  nextPage: async function theCaller(payments) {
    const page = await payments.products.list({ limit: 3 });
    await page.nextPage();
  },
  pages: async function theCaller(payments) {
    for await (const page of payments.products.list({ limit: 3 }).pages()) expect(page.hasMore).toBe(true);
  },
  toArray: async function theCaller(payments) {
    await payments.products.list({ limit: 3 }).toArray({ max: 100 });
  },
  waitFor: async function theCaller(payments) {
    await payments.refunds.waitFor('rf_1');
  },
  request: async function theCaller(payments) {
    await payments.request({ method: 'GET', path: '/v1/things' });
  },
  'a sale': async function theCaller(payments) {
    await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  },
  'a planned call': async function theCaller(payments) {
    await payments.journal.plan().refunds.create(anything({ charge_id: 1 }), options);
  },
  'an operation that is resumed': async function theCaller(payments) {
    await failureOf(payments.refunds.create(refund, options), ServerError);
    for await (const operation of payments.journal.open()) await operation.resume();
  },
};

describe('the stack of an error', () => {
  it.each(Object.entries(callers))('has the line of its caller: %s', async (_name, call) => {
    const error = await failureOf(call(failingClient()), PaymentsError);
    expect(error.stack).toMatch(/\btheCaller\b.*stack\.test\.ts:\d+/);
    expect(error.stack?.startsWith(`${error.name}: ${error.message}\n    at `)).toBe(true);
  });

  it('is that of the call, not of the options that were made before', async () => {
    const list = failingClient().products.list({ limit: 3 });
    async function theIteration() {
      for await (const { id } of list) expect(id).toBeDefined();
    }
    const error = await failureOf(theIteration(), ServerError);
    expect(error.stack).toContain('theIteration');
  });

  it('shows no frame of an attempt', async () => {
    const error = await failureOf(failingClient().refunds.retrieve('rf_1'), ServerError);
    expect(error.stack).not.toMatch(/attempt|retry|transport/);
  });
});
