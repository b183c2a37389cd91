import { JournalError } from 'payments-client';
import { memoryStore, type Store } from 'payments-client/stores';
import { expect, test } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { listOpen, params, startShop } from './shop.ts';

const sale = { amount: '12.00', payment_token: 'tok_1' };

/** Fills the deliveries of a store. */
async function deliver(store: Store, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const claim = await store.claim(`evt_${index}`, 1000);
    if (claim.status === 'claimed') await store.complete(`evt_${index}`, claim.token, 1000);
  }
}

test('refuses a new operation, names durable stores, and sends nothing', async () => {
  const store = memoryStore({ maxOperations: 2, logger: {} });
  const { payments, sandbox } = await startShop({ store });
  await payments.transact.sale(sale, { operationId: 'a' });
  await payments.paymentIntents.create(params, { operationId: 'b' });
  const calls = [
    payments.transact.sale(sale, { operationId: 'c' }),
    payments.journal.plan().paymentIntents.create(params, { operationId: 'd' }),
  ];
  for (const call of calls) {
    const error = await failureOf(call, JournalError);
    expect(error).toMatchObject({ outcome: 'not_executed', retryable: false, code: 'JOURNAL_UNAVAILABLE' });
    expect(error.cause).toMatchObject({ name: 'PaymentsError', code: 'STORE_FULL' });
    expect(error.message).toContain(
      'expected at most 2 operations in memoryStore, got another. Use a durable store: sqliteStore, redisStore or postgresStore. This call sent nothing.',
    );
  }
  expect(sandbox.requests).toHaveLength(2);
  expect(await listOpen(payments)).toEqual([]);
});

test('still returns the results it has, and sends no sale again', async () => {
  const store = memoryStore({ maxEntries: 2, maxOperations: 2, logger: {} });
  const { payments, sandbox } = await startShop({ store });
  const first = await payments.transact.sale(sale, { operationId: 'a' });
  await payments.transact.sale(sale, { operationId: 'b' });
  await deliver(store, 20);
  await failureOf(payments.transact.sale(sale, { operationId: 'c' }), JournalError);
  expect(await payments.transact.sale(sale, { operationId: 'a' })).toEqual(first);
  expect(sandbox.requests).toHaveLength(2);
});
