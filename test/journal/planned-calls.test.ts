/** Reaches inside: the table of routes states which methods move money, and each of them can be planned. */

import {
  ConfigurationError,
  InvalidRequestError,
  JournalError,
  OperationMismatchError,
} from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { type ClaimResult, memoryStore, type PostgresClient } from 'payments-client/stores';
import { expect, it, onTestFinished, vi } from 'vitest';
import { routes } from '../../src/resources/routes.ts';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import type { ClaimStore } from '../support/stores.ts';
import { gate, listOpen, options, params, startShop } from './shop.ts';

const fail = () => Promise.reject(new Error('down'));

it('plans every method that moves money, and no other', async () => {
  const { payments } = await startShop();
  const planned = Object.entries(payments.journal.plan()).flatMap(([collection, methods]) =>
    Object.keys(methods).map((method) => `${collection}.${method}`),
  );
  const moving = Object.entries(routes).filter(([, { movesMoney }]) => movesMoney);
  expect(planned.sort()).toEqual(moving.map(([name]) => name).sort());
});

it('emits no event of a call, since nothing is sent', async () => {
  const events: string[] = [];
  const names = ['start', 'request', 'response', 'retry', 'error', 'end'] as const;
  const hooks = Object.fromEntries(names.map((name) => [name, () => events.push(name)]));
  const payments = clientOf(await startSandbox(), {
    journal: createJournal({ store: memoryStore() }),
    hooks,
  });
  await payments.journal.plan().paymentIntents.create(params, options);
  const wrong = payments.journal.plan().paymentIntents.create(anything({ amount: 'many' }), options);
  await failureOf(wrong, InvalidRequestError);
  expect(events).toEqual([]);
  await payments.paymentIntents.create(params, options);
  expect(events).toEqual(['start', 'request', 'response', 'end']);
});

it('checks the parameters as the call does, and compares them with those of the first call', async () => {
  const { payments } = await startShop();
  const plan = payments.journal.plan();
  await failureOf(plan.paymentIntents.create({ ...params, amount: -1 }, options), InvalidRequestError);
  const card = { payment_method: 'pm_card' };
  await failureOf(plan.paymentIntents.confirm('ch_1', card, options), InvalidRequestError);
  expect(await listOpen(payments)).toEqual([]);
  await plan.paymentIntents.create(params, options);
  const other = plan.paymentIntents.create({ ...params, amount: 1300 }, options);
  const error = await failureOf(other, OperationMismatchError);
  expect(error).toMatchObject({ outcome: 'not_executed', differences: ['amount'] });
  expect(error.message).toMatch(/operationId was planned, got another amount\. .+call it as it was planned/);
  expect(await listOpen(payments)).toMatchObject([{ state: 'planned' }]);
});

it('plans nothing if the journal could not send it later, or the store has no transactions', async () => {
  const { restart } = await startShop();
  expect(() => restart({ contents: 'digest' }).journal.plan()).toThrow(ConfigurationError);
  expect(() => restart({ contents: 'digest' }).journal.plan()).toThrow(
    /^createJournal\.contents: expected 'whole', .+, got 'digest'\. Set the journal's contents to 'whole'\./,
  );
  const within = restart()
    .journal.plan({ client: { query: fail } })
    .paymentIntents.create(params, options);
  // The record of the operation was not read, so nothing is known of it.
  expect(await failureOf(within, ConfigurationError)).toMatchObject({ outcome: 'unknown' });
  expect(await listOpen(restart())).toEqual([]);
});

it('does not release a late claim, which belongs to the transaction', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const end = vi.fn(fail);
  const [asked, granted] = [gate(), gate()];
  const claim = async (): Promise<ClaimResult> => {
    asked.open();
    await granted.opened;
    return { status: 'claimed', token: 'token', attempt: 1, data: undefined };
  };
  const store: ClaimStore<PostgresClient> = {
    claim,
    renew: fail,
    complete: end,
    release: end,
    find: fail,
    open: fail,
  };
  const { payments } = await startShop({ store });
  const planned = payments.journal.plan({ client: { query: fail } }).paymentIntents.create(params, options);
  const failure = failureOf(planned, JournalError);
  await asked.opened;
  vi.advanceTimersByTime(5_000);
  await failure;
  granted.open();
  await new Promise(setImmediate);
  expect(end).not.toHaveBeenCalled();
});

it('asks for records only within the transaction, whose pool may have no other connection', async () => {
  const store = memoryStore();
  const clients = new Set<PostgresClient | undefined>();
  const within = <Options extends { readonly client?: PostgresClient | undefined }>(given?: Options) => {
    const { client, ...rest } = { client: undefined, ...given };
    clients.add(client);
    return rest;
  };
  const transactional: ClaimStore<PostgresClient> = {
    claim: (key, lease, given) => store.claim(key, lease, within(given)),
    renew: (key, token, lease, given) => store.renew(key, token, lease, within(given)),
    complete: (key, token, retention, given) => store.complete(key, token, retention, within(given)),
    release: (key, token, given) => store.release(key, token, within(given)),
    find: (key, given) => store.find(key, within(given)),
    open: fail,
  };
  const { payments } = await startShop({ store: transactional, account: 'shop-1' });
  const client = { query: fail };
  await payments.journal.plan({ client }).paymentIntents.create(params, options);
  expect([...clients]).toEqual([client]);
});

it('is sent at most once with a route that has no key', async () => {
  const { sandbox } = await startShop();
  const routes = { 'refunds.create': 'PUT /v1/refunds' } as const;
  const journal = createJournal({ store: memoryStore() });
  const payments = clientOf(sandbox, { journal, routes, maxRetries: 0 });
  await payments.journal.plan().refunds.create({ charge_id: 'ch_1' }, options);
  const [operation] = await listOpen(payments);
  sandbox.faults.inject({ kind: 'drop_reply' });
  await expect(operation?.resume()).rejects.toMatchObject({ name: 'ConnectionError' });
  // This listed operation still says `planned`.
  await expect(operation?.resume()).rejects.toMatchObject({ name: 'OperationUnresolvedError' });
  expect(sandbox.requests).toHaveLength(1);
});
