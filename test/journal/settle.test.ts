import {
  ConfigurationError,
  InvalidRequestError,
  OperationInProgressError,
  ServerError,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { listOpen, options, params, startShop } from './shop.ts';

const operation = 'paymentIntents.create';
const byKey = { idempotencyKey: 'order-1042' };

/** A shop whose calls all have an unknown outcome. */
async function startUnknown() {
  const shop = await startShop();
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
  await open?.settle({ outcome: 'executed', result: { id: 'pi_1' } });
  expect(await listOpen(payments)).toEqual([]);
});
