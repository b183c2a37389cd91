/** Whatever forms a service has: a client finds its way, and each form is on the wire as it is configured. */

import fc from 'fast-check';
import { NotFoundError, PaymentsError, type ServiceInterface } from 'payments-client';
import { createTestClient } from 'payments-client-sandbox/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../../../../test/support/failure.ts';
import { clientOf } from '../../../../test/support/sandbox.ts';
import { json, read, start } from '../../../../test/support/sandbox-requests.ts';
import { bySize } from '../../../../test/support/size.ts';

/** Runs a method of every kind, and returns the results. The interface decides the unit of times and ids' prefixes alone. */
async function business(forms: ServiceInterface): Promise<unknown> {
  const { payments, sandbox } = createTestClient({
    sandbox: { startsAt: 0, seed: 'same ids', interface: forms },
  });
  const intent = await payments.paymentIntents.create(
    { amount: 1200, currency: 'usd' },
    { operationId: 'order-1' },
  );
  const again = payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId: 'order-1' });
  const { data: replayed, response } = await again.withResponse();
  expect([response.idempotentReplayed, response.requestId]).toEqual([true, expect.stringMatching(/^req_/)]);
  const charge_id = sandbox.pay(intent.id).latest_charge_id ?? '';
  const refund = await payments.refunds.create({ charge_id, amount: 500 }, { operationId: 'refund-1' });
  const customer = await payments.customers.create({ email: 'ada@example.com' });
  const deleted = await payments.customers.delete(customer.id);
  for (let count = 0; count < 5; count += 1) await payments.products.create({ name: `Tea ${count}` });
  const offset = await payments.products.list({ limit: 2, offset: 3 });
  const missing = await failureOf(payments.charges.retrieve('ch_1'), NotFoundError);
  const sale = await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const declined = await payments.transact.sale({ amount: '0.50', payment_token: 'tok_1' });
  const errored = await payments.transact.refund({ transactionid: '1', amount: '1.00' });
  return {
    objects: [intent, replayed, refund, customer, await payments.paymentIntents.retrieve(intent.id)],
    deleted: [deleted.id, deleted.deleted],
    lists: [await payments.products.list({ limit: 2 }).toArray({ max: 9 }), offset.items, offset.hasMore],
    refunds: (await payments.refunds.list()).items,
    missing: [missing.code, missing.outcome],
    transactions: [sale, declined, errored].map(
      ({ approved, errored: isError, risk, transactionid, responsetext }) => ({
        approved,
        isError,
        risk,
        transactionid,
        responsetext,
      }),
    ),
  };
}

/** The values of each form that the business must not notice. */
const values = {
  itemsField: ['data', 'items', 'results', 'rows', 'id'],
  objectPlace: ['whole', 'data', 'type'],
  errorShape: ['nested', 'flat', 'list', 'problem', 'text', 'html'],
  requestIdHeader: ['x-trace-id', 'Request-Id'],
  maxLimit: [2, 50],
  deletion: ['object', 'confirmation', 'empty'],
  formEncoding: ['urlencoded', 'multipart'],
  formResponse: ['unescaped', 'escaped', 'json'],
  routes: [{ 'refunds.list': 'GET /v1/payments/refunds' }],
} as const;
/** Interfaces that have each value of each form together. */
const mixed = values.errorShape.map(
  (_, index): ServiceInterface =>
    Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all[index % all.length]])),
);

/** The results of a client and a sandbox without an interface. */
let plain: unknown;
beforeAll(async () => {
  plain = await business({});
});

test.each(mixed)('a client with the interface %j has the results of one without', async (forms) => {
  expect(await business(forms)).toEqual(plain);
});

test('so has a client with any combination of forms', async () => {
  const names = Object.keys(values) as (keyof typeof values)[];
  const arbitraries = names.map((name) => [name, fc.constantFrom<unknown>(...values[name])] as const);
  const anyForms = fc.record(Object.fromEntries(arbitraries), { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(anyForms, async (forms) => {
      expect(await business(forms)).toEqual(plain);
    }),
    { numRuns: bySize({ short: 8, all: 300 }) },
  );
});

describe('on the wire', () => {
  test.each(['data', 'type'] as const)(
    'an object is in its place: %s, also in a replay, and a page is never',
    async (objectPlace) => {
      const { sandbox, send } = start({ interface: { deletion: 'confirmation', objectPlace } });
      const field = objectPlace === 'data' ? 'data' : 'customer';
      const create = async () => read(await send('/v1/customers', json(sandbox, { body: {}, key: 'one' })));
      const created = await create();
      expect(created).toEqual({ [field]: expect.objectContaining({ object: 'customer' }) });
      expect(await create()).toEqual(created);
      const { id } = Object(created[field]);
      expect(await read(await send('/v1/customers', json(sandbox)))).toMatchObject({ data: [{ id }] });
      const deleted = await send(`/v1/customers/${id}`, json(sandbox, { method: 'DELETE' }));
      expect(await read(deleted)).toEqual({ [field]: { id, deleted: true } });
    },
  );

  const error = { code: 'OBJECT_NOT_FOUND', param: 'id' };
  test.each([
    ['nested', 'application/json', { error }],
    ['flat', 'application/json', error],
    ['list', 'application/json', { errors: [error] }],
    ['problem', 'application/problem+json', { ...error, status: 404, title: 'Not Found' }],
    ['text', 'text/plain; charset=utf-8', undefined],
    ['html', 'text/html; charset=utf-8', undefined],
  ] as const)(
    'an error of the shape %s is %s, and an HTML page escapes its values',
    async (errorShape, type, body) => {
      const { request } = start({ interface: { errorShape } });
      const response = await request('/v1/refunds/%3Cscript%3E');
      expect([response.status, response.headers.get('content-type')]).toEqual([404, type]);
      const text = await response.text();
      if (body !== undefined) return expect(JSON.parse(text)).toMatchObject(body);
      expect(text).toContain('OBJECT_NOT_FOUND');
      expect(text.includes('<script>')).toBe(errorShape === 'text');
    },
  );

  test.each([
    ['unescaped', 'text/html; charset=UTF-8', /^response=3&responsetext=Authentication Failed REFID:\d+&/],
    ['escaped', 'text/html; charset=UTF-8', /^response=3&responsetext=Authentication\+Failed\+REFID%3A\d+&/],
    ['json', 'application/json', /^\{"response":"3","responsetext":"Authentication Failed REFID:\d+"/],
  ] as const)('a form is answered %s', async (formResponse, type, text) => {
    const { send } = start({ interface: { formResponse } });
    const response = await send('/api/transact.php', {
      method: 'POST',
      body: new URLSearchParams({ type: 'sale' }),
    });
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toMatch(text);
  });

  test.each([
    ['urlencoded', 'multipart'],
    ['multipart', 'urlencoded'],
  ] as const)('a form is read if it is %s, not if it is %s', async (formEncoding, other) => {
    const { sandbox } = start({ interface: { formEncoding } });
    const wrong = clientOf(sandbox, { formEncoding: other, fetch: sandbox.fetch }).transact.sale({
      amount: '12.00',
      payment_token: 'tok_1',
    });
    await expect(wrong).rejects.toThrow('Authentication Failed');
  });
});

/** Every kind of refusal, as the SDK throws it: the call, the class, the code and the outcome. */
async function refusals(errorShape: NonNullable<ServiceInterface['errorShape']>) {
  const { sandbox } = createTestClient({ sandbox: { interface: { errorShape } } });
  // It has not been told the shape.
  const payments = clientOf(sandbox, { fetch: sandbox.fetch, maxRetries: 0 });
  const stranger = clientOf(sandbox, { fetch: sandbox.fetch, secretKey: 'sk_v1_test_wrong' });
  const once = { idempotencyKey: 'order-1' };
  const { id } = await payments.paymentIntents.create({ amount: 100, currency: 'usd' }, once);
  sandbox.pay(id);
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'customers.create' });
  const slow = payments.customers.create({}, { idempotencyKey: 'order-2' }).then(() => undefined);
  await hold.reached;
  sandbox.faults.inject({ kind: 'rate_limit', operation: 'products.list' });
  sandbox.faults.inject({ kind: 'unavailable', operation: 'products.list' });
  const calls = [
    stranger.products.retrieve('prod_1'),
    payments.refunds.retrieve('rf_1'),
    payments.paymentIntents.cancel(id),
    payments.paymentIntents.create({ amount: 200, currency: 'usd' }, once),
    payments.refunds.create({ charge_id: 'ch_1' }, once),
    payments.prices.list({ starting_after: 'price_1' }),
    payments.products.list(),
    payments.products.list(),
    payments.customers.create({}, { idempotencyKey: 'order-2' }),
  ];
  const errors = [];
  for (const call of calls) {
    const { name, code, outcome } = await failureOf(call, PaymentsError);
    errors.push([name, code, outcome]);
  }
  hold.release();
  await slow;
  return errors;
}

test.each(['nested', 'flat', 'list', 'problem', 'text', 'html'] as const)(
  'the SDK reads classes, codes and outcomes from errors of the shape %s',
  async (errorShape) => {
    // Any page may contain the word of a code, so a conflict without a field for it proves nothing.
    const conflict = errorShape === 'text' || errorShape === 'html' ? 'unknown' : 'not_executed';
    expect(await refusals(errorShape)).toEqual([
      ['AuthenticationError', 'INVALID_SECRET_KEY', 'not_an_operation'],
      ['NotFoundError', 'OBJECT_NOT_FOUND', 'not_an_operation'],
      ['ConflictError', 'INVALID_STATE_TRANSITION', conflict],
      ['IdempotencyBodyMismatchError', 'IDEMPOTENCY_BODY_MISMATCH', 'executed'],
      // One key on two methods names two operations, and this one has no earlier call.
      ['IdempotencyRouteConflictError', 'IDEMPOTENCY_ROUTE_CONFLICT', 'unknown'],
      ['BadRequestError', 'INVALID_PARAMETER', 'not_an_operation'],
      ['RateLimitError', 'RATE_LIMITED', 'not_an_operation'],
      ['ServerError', 'SERVICE_UNAVAILABLE', 'not_an_operation'],
      ['IdempotencyKeyInProgressError', 'IDEMPOTENCY_KEY_IN_PROGRESS', 'unknown'],
    ]);
  },
);
