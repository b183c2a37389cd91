/** What a record tells of its operation, and of which calls it tells nothing. */

import { AuthenticationError, InvalidRequestError, type PaymentsClientOptions } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { memoryStore, type Store } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund as sampleRefund } from '../support/fixtures.ts';
import { json, text } from '../support/mock-service.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import type { ClaimStore } from '../support/stores.ts';
import { listOpen, options, replacing } from './shop.ts';

const service = useScriptedService();
const start = (store: ClaimStore, client: PaymentsClientOptions = {}) =>
  service.createClient({ ...client, journal: createJournal({ store }) });

describe('a wrong call of an operation that was executed', () => {
  /** Executes an operation, and returns the error of a wrong call of it. */
  async function errorOf(storeOf: (store: Store) => ClaimStore, client?: PaymentsClientOptions) {
    const store = memoryStore();
    service.answers(json(sampleRefund));
    await start(store).refunds.create({ charge_id: 'ch_1' }, options);
    const wrong = start(storeOf(store), client).refunds.create({ charge_id: 'ch_1', amount: 0.5 }, options);
    const error = await failureOf(wrong, InvalidRequestError);
    expect(service.arrivals).toHaveLength(1);
    return error;
  }

  it('says that it was', async () => {
    expect(await errorOf((store) => store)).toMatchObject({ outcome: 'executed' });
  });

  /** A store whose records are changed when they are found. */
  const finding = (change: (data: string) => string) => (store: Store) =>
    replacing(store, {
      find: async (...args) => {
        const { data = expect.fail('there is no record'), ...row } = (await store.find(...args)) ?? {};
        return { completed: true, ...row, data: change(data) };
      },
    });

  it.each<[what: string, storeOf: (store: Store) => ClaimStore, client?: PaymentsClientOptions]>([
    ['its store fails', (store) => replacing(store, { find: () => Promise.reject(new Error('down')) })],
    ['its record was changed', finding((data) => data.replace(/"startedAt":\d/, '"startedAt":9'))],
    ['its record cannot be read', finding((data) => data.slice(1))],
    ['its record is that of another merchant', (store) => store, { secretKey: 'sk_v1_test_other' }],
    ['its record is that of another base URL', (store) => store, { baseUrl: 'https://other.test' }],
    ['it is not known whose call it is', (store) => store, { secretKey: () => 'sk_v1_test_unit0001' }],
  ])('says nothing of it if %s', async (_what, storeOf, client) => {
    expect(await errorOf(storeOf, client)).toMatchObject({ outcome: 'unknown' });
  });
});

it('a sale whose security_key was rejected is not open, and is sent again', async () => {
  const warn = vi.fn();
  const payments = start(memoryStore(), { logger: { warn } });
  const sell = () => payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' }, options);
  service.answers(
    text('response=3&responsetext=Authentication Failed'),
    text('response=1&responsetext=OK&transactionid=t1'),
  );
  expect(await failureOf(sell(), AuthenticationError)).toMatchObject({ outcome: 'not_executed' });
  expect(await listOpen(payments)).toEqual([]);
  // It is recorded, so there is nothing to warn of.
  expect(warn).not.toHaveBeenCalled();
  expect(await sell()).toMatchObject({ approved: true });
  expect(service.arrivals).toHaveLength(2);
});
