/** Promise 1: one business operation, one charge. The key comes from the caller's `operationId`, so it survives a crash. */

import fc from 'fast-check';
import {
  ConnectionError,
  deriveIdempotencyKey,
  InvalidRequestError,
  type PaymentsClient,
  PaymentsError,
  type RouteName,
  type WithOperationId,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { everyMethod } from '../support/every-method.ts';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { ok, wireClient } from './wire.ts';

const by = { operationId: 'order-1042' };

/** By the interface, these move money or decide that it moves. */
const moneyMethods = [
  'checkoutSessions.create',
  'checkoutSessions.refund',
  'paymentIntents.create',
  'paymentIntents.confirm',
  'paymentIntents.capture',
  'paymentIntents.retryWithNewPaymentMethod',
  'paymentIntents.refund',
  'refunds.create',
  'refunds.retry',
  'subscriptions.create',
  'subscriptions.update',
  'creditNotes.create',
] as const satisfies readonly RouteName[];

describe('the key of an operation', () => {
  it('is the same on each call, in each process and in each release', () => {
    expect(deriveIdempotencyKey('paymentIntents.create', 'order-1042')).toBe(
      'pc1:paymentIntents.create:order-1042',
    );
    expect(deriveIdempotencyKey('refunds.create', 'é:🍵')).toBe('pc1:refunds.create:~00e9~003a~d83c~df75');
  });

  it('differs for another method or another id, and fits into a header', () => {
    const methods = fc.constantFrom('paymentIntents.create', 'refunds.create', 'refunds.retry');
    const ids = fc
      .oneof(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.string({ minLength: 1, maxLength: 400, unit: 'grapheme' }),
        fc.constantFrom('order-1', 'order-1 ', 'ORDER-1', 'order-1:create', '~order-1'),
      )
      .filter((id) => id.trim() !== '');
    fc.assert(
      fc.property(methods, ids, methods, ids, (method, id, other, otherId) => {
        const key = deriveIdempotencyKey(method, id);
        expect(key).toMatch(/^[!-~]{1,255}$/);
        expect(key === deriveIdempotencyKey(other, otherId)).toBe(method === other && id === otherId);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a call that moves money', () => {
  it('has one effect, though its response was lost and the process has died', async () => {
    const sandbox = await startSandbox();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    const before = clientOf(sandbox, { maxRetries: 0 });
    const lost = await failureOf(before.paymentIntents.create(intentParams, by), ConnectionError);
    expect(lost.outcome).toBe('unknown');

    // Rebuilt from a database, so with its fields in another order.
    const rebuilt = { currency: 'usd', amount: 1200 };
    const after = clientOf(sandbox);
    const { data, response } = await after.paymentIntents.create(rebuilt, by).withResponse();
    expect(response.idempotentReplayed).toBe(true);
    const intents = await after.paymentIntents.list().toArray({ max: 10 });
    expect(intents.map(({ id }) => id)).toEqual([data.id]);
  });

  it('has one effect for all who call at once', async () => {
    const sandbox = await startSandbox();
    const payments = clientOf(sandbox);
    const calls = Array.from({ length: 8 }, () => payments.paymentIntents.create(intentParams, by));
    const ids = new Set((await Promise.all(calls)).map(({ id }) => id));
    expect(ids.size).toBe(1);
    expect(await payments.paymentIntents.list().toArray({ max: 10 })).toHaveLength(1);
  });

  it('may share the id of an order with other operations of that order', async () => {
    const sandbox = await startSandbox();
    const payments = clientOf(sandbox);
    const intent = await payments.paymentIntents.create(intentParams, by);
    sandbox.pay(intent.id);
    const refunded = await payments.refunds.create({ payment_intent_id: intent.id }, by);
    expect(refunded).toMatchObject({ amount: 1200, status: 'pending' });
  });

  it('is refused before anything is sent if it has no id', async () => {
    const { payments, requests } = await wireClient(ok(paymentIntent));
    // JavaScript callers are not held by the types.
    const none: WithOperationId = Object({});
    const errors = await Promise.all(
      moneyMethods.map((name) => failureOf(everyMethod[name](payments, none), InvalidRequestError)),
    );
    errors.push(
      await failureOf(payments.request({ method: 'POST', path: '/v1/payouts' }, none), InvalidRequestError),
    );
    for (const error of errors) {
      expect(error).toMatchObject({ outcome: 'not_executed', issues: [{ path: 'options.operationId' }] });
    }
    expect(requests).toEqual([]);
  });
});

describe('with a journal', () => {
  it('has one effect for a card sale, whose endpoint has no keys', async () => {
    const sandbox = await startSandbox();
    const journal = createJournal({ store: memoryStore(), account: 'shop-1-test' });
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.sale' });
    const sale = (payments: PaymentsClient) =>
      payments.transact.sale({ ...saleParams, orderid: 'order-1042' }, by);
    const lost = await failureOf(sale(clientOf(sandbox, { journal })), ConnectionError);
    expect(lost.outcome).toBe('unknown');
    const again = await failureOf(sale(clientOf(sandbox, { journal })), PaymentsError);
    expect(again.code).toBe('OPERATION_UNRESOLVED');
    expect(sandbox.transactions).toHaveLength(1);
  });
});
