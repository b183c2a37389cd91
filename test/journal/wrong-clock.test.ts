/** A clock that is wrong for a while causes no second payment. */

import { ConnectionError, OperationUnresolvedError } from 'payments-client';
import { type SqliteStore, sqliteStore } from 'payments-client/stores';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { options, params, startShop } from './shop.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const operation = 'paymentIntents.create';

/** Starts a shop whose first call got no answer, at a time in ms. Returns a way to repeat it at another time. */
async function startUnanswered(startedAt: number) {
  const clock = { time: startedAt };
  const shop = await startShop({ now: () => clock.time });
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation });
  await failureOf(shop.payments.paymentIntents.create(params, options), ConnectionError);
  const repeatAt = (time: number) => {
    clock.time = time;
    return shop.payments.paymentIntents.create(params, options);
  };
  return { ...shop, repeatAt };
}

test.each([
  { what: '30 hours ahead', startedAt: 30 * hour },
  { what: '401 days ahead', startedAt: 401 * day },
  { what: 'just over 10 minutes ahead', startedAt: 10 * minute + 1 },
])('does not send an operation again that started $what', async ({ startedAt }) => {
  const { sandbox, repeatAt } = await startUnanswered(startedAt);
  await failureOf(repeatAt(0), OperationUnresolvedError);
  expect(sandbox.requests).toHaveLength(1);
});

test('sends an operation again that started 10 minutes ahead, since clocks differ', async () => {
  const { sandbox, repeatAt } = await startUnanswered(10 * minute);
  expect(await repeatAt(0)).toMatchObject({ amount: 1200 });
  expect(sandbox.requests).toHaveLength(2);
});

test('returns the result from SQLite while the clock is 401 days ahead, and afterwards', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const path = await temporaryFile();
  const stores: SqliteStore[] = [];
  onTestFinished(() => {
    for (const store of stores) store.close();
  });
  const { sandbox, restart } = await startShop();
  /** Sells in a process of its own. */
  const sell = () => {
    const store = sqliteStore(path);
    stores.push(store);
    return restart({ store }).transact.sale({ amount: '12.00', payment_token: 'tok_1' }, options);
  };
  const first = await sell();
  for (const ahead of [401 * day, -401 * day, -30 * hour]) {
    vi.setSystemTime(Date.now() + ahead);
    expect(await sell()).toEqual(first);
  }
  expect(sandbox.requests).toHaveLength(1);
});
