import {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  OperationInProgressError,
  type PaymentsClientOptions,
  ServerError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { make } from 'payments-client-sandbox/testing';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { listOpen, options, params, startShop } from './shop.ts';

const operation = 'paymentIntents.create';
const byKey = { idempotencyKey: 'order-1042' };

/** A shop whose calls all have an unknown outcome. */
async function startUnknown(client: Partial<PaymentsClientOptions> = {}) {
  const shop = await startShop({}, client);
  shop.sandbox.faults.inject({ kind: 'respond', operation, status: 500, body: {}, times: 9 });
  return shop;
}

it('closes an operation that is named by its idempotencyKey', async () => {
  const { payments, sandbox } = await startUnknown();
  await failureOf(payments.paymentIntents.create(params, byKey), ServerError);
  const [open] = await listOpen(payments);
  await payments.journal.settle(open?.operationId ?? '', {
    operation: open?.operation ?? '',
    outcome: 'executed',
  });
  expect(await listOpen(payments)).toEqual([]);
  const repeated = payments.paymentIntents.create(params, byKey);
  await expect(repeated).rejects.toMatchObject({ code: 'OPERATION_SETTLED' });
  expect(sandbox.requests).toHaveLength(1);
});

it('closes no operation of another method with this idempotencyKey, or one that starts with it', async () => {
  const { payments } = await startUnknown();
  await failureOf(payments.paymentIntents.create(params, byKey), ServerError);
  const others = [
    ['order-1042', 'refunds.create'],
    ['order-10', operation],
    ['o'.repeat(600), operation],
  ] as const;
  for (const [id, method] of others) {
    const settled = payments.journal.settle(id, { operation: method, outcome: 'executed' });
    expect(await failureOf(settled, InvalidRequestError)).toMatchObject({ issues: [{ received: 'none' }] });
  }
  await failureOf(payments.paymentIntents.create(params, { operationId: 'order-104' }), ServerError);
  await payments.journal.settle('order-104', { operation, outcome: 'executed' });
  expect(await listOpen(payments)).toMatchObject([{ operationId: 'order-1042' }]);
});

it('refuses to choose between an operationId and an equal idempotencyKey', async () => {
  const { payments } = await startUnknown();
  await failureOf(payments.paymentIntents.create(params, byKey), ServerError);
  await failureOf(payments.paymentIntents.create(params, options), ServerError);
  const settle = () => payments.journal.settle('order-1042', { operation, outcome: 'executed' });
  const error = await failureOf(settle(), InvalidRequestError);
  expect(error.message).toContain('got two: one by operationId, one by idempotencyKey');
  const [first] = await listOpen(payments);
  await first?.settle({ outcome: 'executed' });
  await settle();
  expect(await listOpen(payments)).toEqual([]);
});

it('leaves the id free if there is no such operation', async () => {
  const { restart } = await startShop({ store: memoryStore({ now: () => 0 }) });
  const { journal, paymentIntents } = restart();
  const settle = () => journal.settle('order-1042', { operation, outcome: 'executed' });
  for (const _ of [1, 2]) {
    expect(await failureOf(settle(), InvalidRequestError)).toMatchObject({ issues: [{ received: 'none' }] });
  }
  // The clock stands still, so the store still remembers the key.
  const plan = journal.plan().paymentIntents;
  for (const call of [() => paymentIntents.create(params, options), () => plan.create(params, options)]) {
    const error = await failureOf(call(), OperationInProgressError);
    expect(error).toMatchObject({ retryable: true, retryAfter: 1 });
  }
});

it.each([undefined, null, 5, '', ' ', {}])('refuses the id %j', async (id) => {
  const { payments } = await startShop();
  const settled = payments.journal.settle(anything(id), { operation, outcome: 'executed' });
  expect(await failureOf(settled, ConfigurationError)).toMatchObject({
    issues: [{ path: 'journal.settle.operationId', expected: 'a non-blank string' }],
  });
  const nameless = payments.journal.settle('order-1042', { operation: '', outcome: 'executed' });
  expect(await failureOf(nameless, ConfigurationError)).toMatchObject({
    issues: [{ path: 'journal.settle.operation' }],
  });
});

it('says how to write the call if the options are missing', async () => {
  const { payments } = await startShop();
  const error = await failureOf(
    payments.journal.settle('order-1042', anything(undefined)),
    ConfigurationError,
  );
  expect(error.message).toContain(
    "Write journal.settle(operationId, { operation: 'transact.sale', outcome: 'executed' }).",
  );
});

it('refuses a wrong outcome of a listed operation', async () => {
  const { payments } = await startUnknown();
  await failureOf(payments.paymentIntents.create(params, options), ServerError);
  const [open] = await listOpen(payments);
  for (const wrong of [{ outcome: 'not executed' }, {}, undefined]) {
    const settled = open?.settle(anything(wrong)) ?? Promise.resolve();
    expect(await failureOf(settled, ConfigurationError)).toMatchObject({ code: 'INVALID_CONFIGURATION' });
  }
  expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
});

it('refuses a result that JSON cannot hold, and does not lock the operation', async () => {
  const { payments } = await startUnknown();
  await failureOf(payments.paymentIntents.create(params, options), ServerError);
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const [open] = await listOpen(payments);
  for (const [path, result, received] of [
    ['result[0]', cycle, 'a cycle'],
    ['result.amount', { amount: 1200n }, 'a bigint'],
    ['result.amount', { id: 'pi_1', amount: undefined }, 'undefined'],
    ['result.created', { created: new Date() }, 'a date'],
    ['result', () => ({}), 'a function'],
  ] as const) {
    const how = { outcome: 'executed', result } as const;
    const byId = payments.journal.settle('order-1042', { operation, ...how });
    const refused = { issues: [{ path, received }] };
    expect(await failureOf(byId, InvalidRequestError)).toMatchObject(refused);
    await expect(open?.settle(how)).rejects.toMatchObject(refused);
  }
  await open?.settle({ outcome: 'executed', result: make('payment_intent') });
  expect(await listOpen(payments)).toEqual([]);
});

describe('a result given by hand', () => {
  const intent = make('payment_intent');
  const { amount: _, ...withoutAmount } = intent;

  it.each([5, null, 'pi_1', [], {}, { id: 'pi_1' }, withoutAmount, make('refund'), { data: withoutAmount }])(
    'is refused if the method does not return it: %j',
    async (result) => {
      const { payments } = await startUnknown();
      await failureOf(payments.paymentIntents.create(params, options), ServerError);
      const how = { outcome: 'executed', result } as const;
      const byId = await failureOf(
        payments.journal.settle('order-1042', { operation, ...how }),
        InvalidRequestError,
      );
      expect(byId).toMatchObject({
        issues: [{ path: 'result', expected: 'what paymentIntents.create returns' }],
      });
      expect(byId.message).toContain('Nothing was changed: pass');
      const [open] = await listOpen(payments);
      await expect(open?.settle(how)).rejects.toMatchObject({ issues: byId.issues });
      expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
    },
  );

  it.each([intent, { data: intent }])('is returned by a later call: %j', async (result) => {
    const { payments } = await startUnknown();
    await failureOf(payments.paymentIntents.create(params, options), ServerError);
    await payments.journal.settle('order-1042', { operation, outcome: 'executed', result });
    expect(await payments.paymentIntents.create(params, options)).toEqual(intent);
  });

  it('needs an id even for a client that checks no response', async () => {
    const { payments } = await startUnknown({ validation: 'off' });
    await failureOf(payments.paymentIntents.create(params, options), ServerError);
    const settle = (result: unknown) =>
      payments.journal.settle('order-1042', { operation, outcome: 'executed', result });
    expect(await failureOf(settle({ amount: 5 }), InvalidRequestError)).toMatchObject({
      issues: [{ path: 'result' }],
    });
    await settle(withoutAmount);
    expect(await payments.paymentIntents.create(params, options)).toEqual(withoutAmount);
  });

  const moneyRoutes = {
    'checkoutSessions.create': 'checkout_session',
    'checkoutSessions.refund': 'refund',
    'creditNotes.create': 'credit_note',
    'invoices.updatePaymentMethod': 'invoice',
    'paymentIntents.capture': 'payment_intent',
    'paymentIntents.confirm': 'payment_intent',
    'paymentIntents.create': 'payment_intent',
    'paymentIntents.refund': 'refund',
    'paymentIntents.retryWithNewPaymentMethod': 'payment_intent',
    'refunds.create': 'refund',
    'refunds.retry': 'refund',
    'subscriptions.create': 'subscription',
    'subscriptions.update': 'subscription',
  } as const;

  it('of each method that moves money is in the table', async () => {
    const { payments } = await startShop();
    const planned = Object.entries(payments.journal.plan());
    const methods = planned.flatMap(([name, calls]) =>
      Object.keys(calls).map((method) => `${name}.${method}`),
    );
    expect(methods.toSorted()).toEqual(Object.keys(moneyRoutes));
  });

  it.each(Object.entries(moneyRoutes))('of %s must be a %s', async (method, kind) => {
    const { payments } = await startUnknown();
    const settle = (result: unknown) =>
      payments.journal.settle('order-1042', { operation: method, outcome: 'executed', result });
    const wrong = await failureOf(settle(make('customer')), InvalidRequestError);
    expect(wrong).toMatchObject({ issues: [{ path: 'result' }] });
    const right = await failureOf(settle(make(kind)), InvalidRequestError);
    expect(right).toMatchObject({ issues: [{ path: 'operationId', received: 'none' }] });
  });

  it.each([
    5,
    'response=1',
    {},
    { response: '' },
    { response: { code: 1 } },
    { transactionid: '1' },
    { response: '3', responsetext: 'Authentication Failed' },
  ])('of a sale must be the fields of a transaction: %j', async (result) => {
    const { payments, sandbox } = await startShop();
    const sale = { amount: '12.00', payment_token: 'tok_1' };
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
    await failureOf(payments.transact.sale(sale, options), ConnectionError);
    const [open] = await listOpen(payments);
    await expect(open?.settle({ outcome: 'executed', result })).rejects.toMatchObject({
      issues: [{ path: 'result', expected: 'what transact.sale returns' }],
    });
    await open?.settle({ outcome: 'executed', result: { response: '1', transactionid: '77' } });
    expect(await payments.transact.sale(sale, options)).toMatchObject({
      approved: true,
      transactionid: '77',
    });
  });

  it('of a sale may be a decline', async () => {
    const { payments, sandbox } = await startShop();
    const sale = { amount: '12.00', payment_token: 'tok_1' };
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
    await failureOf(payments.transact.sale(sale, options), ConnectionError);
    const [open] = await listOpen(payments);
    await open?.settle({ outcome: 'executed', result: { response: '2', responsetext: 'DECLINE' } });
    expect(await payments.transact.sale(sale, options)).toMatchObject({ approved: false, errored: false });
  });

  it('is refused for an operation that was not executed', async () => {
    const { payments } = await startUnknown();
    await failureOf(payments.paymentIntents.create(params, options), ServerError);
    const [open] = await listOpen(payments);
    await expect(open?.settle({ outcome: 'not_executed', result: intent })).rejects.toMatchObject({
      issues: [{ path: 'result', expected: 'nothing, since it was not executed' }],
    });
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
  });

  it('of payments.request may be any JSON', async () => {
    const { payments, sandbox } = await startShop();
    const request = { method: 'POST', path: '/v1/payouts', body: { amount: 500 } } as const;
    sandbox.faults.inject({ kind: 'drop_reply' });
    await failureOf(payments.request(request, options), ConnectionError);
    const [open] = await listOpen(payments);
    await open?.settle({ outcome: 'executed', result: 5 });
    expect(await payments.request(request, options)).toBe(5);
  });
});
