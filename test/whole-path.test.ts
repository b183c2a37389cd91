/** The whole path of a payment against the sandbox over real HTTP: client, wire, service, and back. */

import {
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  IdempotencyBodyMismatchError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  NotFoundError,
  UnprocessableError,
} from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { failureOf } from './support/failure.ts';
import { intentParams, saleParams, sessionParams } from './support/fixtures.ts';
import { skipBackOff } from './support/mock-service.ts';
import { startAnew } from './support/new-process.ts';
import { clientOf, startSandbox } from './support/sandbox.ts';

const by = { operationId: 'order-1' };

describe('a collection', () => {
  it('is created, retrieved and listed: sessions, intents, customers', async () => {
    const { checkoutSessions, paymentIntents, customers } = clientOf(await startSandbox());
    const session = await checkoutSessions.create(sessionParams, by);
    expect(session).toMatchObject({
      object: 'checkout_session',
      amount_total: 1200,
      currency: 'USD',
      status: 'open',
    });
    const intent = await paymentIntents.create({ ...intentParams, metadata: { order: '1042' } }, by);
    expect(intent).toMatchObject({
      amount: 1200,
      status: 'requires_payment_method',
      metadata: { order: '1042' },
    });
    const customer = await customers.create({ first_name: 'Ada', billing_address: { city: 'London' } }, by);
    expect(await checkoutSessions.retrieve(session.id)).toEqual(session);
    expect(await paymentIntents.retrieve(intent.id)).toEqual(intent);
    expect(await customers.retrieve(customer.id)).toEqual(customer);
    const lists = [checkoutSessions.list(), paymentIntents.list(), customers.list()];
    const items = await Promise.all(lists.map((list) => list.toArray({ max: 5 })));
    expect(items).toEqual([[session], [intent], [customer]]);
  });

  it('of refunds gives back no more than was paid', async () => {
    const sandbox = await startSandbox();
    const { paymentIntents, refunds } = clientOf(sandbox);
    const { id } = await paymentIntents.create(intentParams, by);
    const early = refunds.create({ payment_intent_id: id }, { operationId: 'r-0' });
    expect(await failureOf(early, UnprocessableError)).toMatchObject({
      code: 'PAYMENT_INTENT_NOT_SUCCEEDED',
    });
    sandbox.pay(id);
    const refund = await refunds.create({ payment_intent_id: id, amount: 1000 }, { operationId: 'r-1' });
    const more = refunds.create({ charge_id: refund.charge_id, amount: 201 }, { operationId: 'r-2' });
    expect(await failureOf(more, UnprocessableError)).toMatchObject({ outcome: 'not_executed' });
    expect(await refunds.list().toArray({ max: 5 })).toEqual([refund]);
  });

  it('of customers deletes and restores', async () => {
    const { customers } = clientOf(await startSandbox());
    const { id } = await customers.create({ first_name: 'Ada' }, by);
    expect(await customers.delete(id)).toMatchObject({ id, deleted: true });
    expect(await customers.retrieve(id)).toMatchObject({ deleted: true });
    expect(await customers.restore(id, by)).toMatchObject({ deleted: false, first_name: 'Ada' });
  });

  it('of products is retrieved and listed, in both forms of pagination', async () => {
    const sandbox = await startSandbox();
    const { products } = clientOf(sandbox);
    const ids = Array.from({ length: 45 }, () => sandbox.add('product').id).reverse();
    const walk = await products.list({ limit: 10 }).toArray({ max: 100 });
    expect(walk.map(({ id }) => id)).toEqual(ids);
    const rest = await products.list({ limit: 10, offset: 20 }).toArray({ max: 100 });
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(20));
    expect((await products.retrieve(ids[7] ?? '')).id).toBe(ids[7]);
  });
});

describe('an idempotency key', () => {
  it('is refused with another body, on another endpoint, or when it is too long', async () => {
    const sandbox = await startSandbox();
    const payments = clientOf(sandbox);
    await payments.paymentIntents.create(intentParams, by);
    const other = payments.paymentIntents.create({ ...intentParams, amount: 1300 }, by);
    expect(await failureOf(other, IdempotencyBodyMismatchError)).toMatchObject({ outcome: 'executed' });
    const key = { idempotencyKey: 'pc1:paymentIntents.create:order-1' };
    const elsewhere = payments.checkoutSessions.create(sessionParams, key);
    expect(await failureOf(elsewhere, IdempotencyRouteConflictError)).toMatchObject({ outcome: 'unknown' });
    startAnew();
    const restarted = clientOf(sandbox).paymentIntents.create({ ...intentParams, amount: 1300 }, by);
    expect(await failureOf(restarted, IdempotencyBodyMismatchError)).toMatchObject({ outcome: 'unknown' });
    const body = { error: { code: 'IDEMPOTENCY_KEY_TOO_LONG', message: 'too long' } };
    sandbox.faults.inject({ kind: 'respond', status: 400, body, operation: 'refunds.create' });
    const long = payments.refunds.create({ charge_id: 'ch_1' }, by);
    expect(await failureOf(long, IdempotencyKeyTooLongError)).toMatchObject({ outcome: 'not_executed' });
  });

  it('in use by a call that still runs is waited for, and gives its result', async () => {
    skipBackOff();
    const sandbox = await startSandbox();
    const held = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
    const first = clientOf(sandbox).paymentIntents.create(intentParams, by);
    await held.reached;
    const impatient = clientOf(sandbox, { maxRetries: 0 }).paymentIntents.create(intentParams, by);
    expect(await failureOf(impatient, IdempotencyKeyInProgressError)).toMatchObject({ outcome: 'unknown' });
    const hooks = { retry: () => held.release() };
    const patient = clientOf(sandbox, { hooks, maxRetries: 50 }).paymentIntents.create(intentParams, by);
    const { data, response } = await patient.withResponse();
    expect(data).toEqual({ ...(await first), $recorded: true });
    expect(response.idempotentReplayed).toBe(true);
  });

  it('that the service cannot check has no effect, and is tried again', async () => {
    skipBackOff();
    const sandbox = await startSandbox();
    const body = { error: { code: 'IDEMPOTENCY_STORE_UNAVAILABLE', message: 'try later' } };
    const fault = { kind: 'respond', status: 503, body, operation: 'paymentIntents.create' } as const;
    const { paymentIntents } = clientOf(sandbox);
    sandbox.faults.inject(fault);
    expect(await paymentIntents.create(intentParams, by)).toMatchObject({ amount: 1200 });
    sandbox.faults.inject(fault);
    const once = paymentIntents.create(intentParams, { operationId: 'order-2', maxRetries: 0 });
    const error = await failureOf(once, IdempotencyStoreUnavailableError);
    expect(error.outcome).toBe('not_executed');
    expect(await paymentIntents.list().toArray({ max: 5 })).toHaveLength(1);
  });
});

describe('the sandbox', () => {
  it('refuses a wrong key, an unknown object and a wrong parameter with errors of their own', async () => {
    const sandbox = await startSandbox();
    const stranger = clientOf(sandbox, { secretKey: 'sk_v1_test_stranger' });
    await failureOf(stranger.products.list(), AuthenticationError);
    const { refunds, products } = clientOf(sandbox);
    await failureOf(refunds.retrieve('rf_none'), NotFoundError);
    await failureOf(products.list({ starting_after: 'prod_none' }), BadRequestError);
  });

  it('works in process too, by its fetch', async () => {
    const sandbox = createSandbox();
    const { paymentIntents } = clientOf(sandbox, { fetch: sandbox.fetch });
    const intent = await paymentIntents.create(intentParams, by);
    expect((await paymentIntents.create(intentParams, by)).id).toBe(intent.id);
    // The client retrieves the object of a replay.
    expect(sandbox.requests.map(({ replayed }) => replayed)).toEqual([false, true, false]);
  });
});

describe('a sale', () => {
  it.each(['unescaped', 'escaped', 'json'] as const)(
    'is understood from a response that is %s',
    async (formResponse) => {
      const sandbox = await startSandbox({ interface: { formResponse } });
      for (const formEncoding of ['urlencoded', 'multipart'] as const) {
        const { transact } = clientOf(sandbox, { formEncoding });
        expect(await transact.sale({ ...saleParams, city: 'São Paulo & Co' })).toMatchObject({
          approved: true,
          avs: { code: 'Y' },
          cvv: { matched: true },
          risk: { level: 'low', decision: 'A' },
        });
        const declined = await transact.sale({ ...saleParams, amount: '0.50' });
        expect(declined).toMatchObject({ approved: false, response: '2' });
        const refused = await transact.submit({ type: 'void', transactionid: '1' });
        expect(refused).toMatchObject({ approved: false, response: '3' });
      }
      expect(sandbox.transactions).toHaveLength(4);
    },
  );

  it('whose reply is lost is sent once, and is told as unknown', async () => {
    const sandbox = await startSandbox();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
    const error = await failureOf(clientOf(sandbox).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(sandbox.transactions).toHaveLength(1);
  });
});
