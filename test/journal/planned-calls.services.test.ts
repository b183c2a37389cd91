/** Reaches inside: the table of routes states which methods move money, and each of them can be planned. */

import {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  JournalError,
  OperationMismatchError,
  type PaymentsClient,
  PermissionError,
  type PlannedCalls,
  RateLimitError,
} from 'payments-client';
import { type ClaimResult, type PostgresClient, postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { routes } from '../../src/resources/routes.ts';
import { failureOf } from '../support/failure.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { skipWithout } from '../support/skip.ts';
import type { ClaimStore } from '../support/stores.ts';
import { listOpen, options, params, startShop } from './shop.ts';

describe('a planned operation', () => {
  it('is recorded but not sent until it is resumed', async () => {
    const { sandbox, payments, restart } = await startShop();
    await payments.journal.plan().paymentIntents.create(params, options);
    expect(sandbox.requests).toEqual([]);
    const [operation] = await listOpen(restart());
    expect(operation).toMatchObject({ operation: 'paymentIntents.create', state: 'planned' });
    expect(await operation?.resume()).toMatchObject({ object: 'payment_intent', amount: 1200 });
    expect(await listOpen(payments)).toEqual([]);
    expect(sandbox.requests).toHaveLength(1);
  });

  it('is sent by the call with its id, which returns the result', async () => {
    const { sandbox, payments, restart } = await startShop();
    await payments.journal.plan().paymentIntents.create(params, options);
    const intent = await restart().paymentIntents.create(params, options);
    expect(await payments.paymentIntents.create(params, options)).toEqual(intent);
    expect(sandbox.requests).toHaveLength(1);
  });

  it('can be planned repeatedly, but only with the same parameters', async () => {
    const { sandbox, payments } = await startShop();
    const plan = payments.journal.plan();
    await plan.paymentIntents.create(params, options);
    await plan.paymentIntents.create(params, options);
    const other = plan.paymentIntents.create({ ...params, amount: 1300 }, options);
    expect((await failureOf(other, OperationMismatchError)).differences).toEqual(['amount']);
    expect(await listOpen(payments)).toMatchObject([{ state: 'planned' }]);
    await payments.paymentIntents.create(params, options);
    await plan.paymentIntents.create(params, options);
    expect(await listOpen(payments)).toEqual([]);
    expect(sandbox.requests).toHaveLength(1);
  });

  it('keeps its state if it may have taken effect', async () => {
    const { sandbox, payments, restart } = await startShop();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await failureOf(payments.paymentIntents.create(params, options), ConnectionError);
    await restart().journal.plan().paymentIntents.create(params, options);
    expect(await listOpen(payments)).toMatchObject([{ state: 'unknown' }]);
  });

  it('stays open after a rejection until it is closed', async () => {
    const { sandbox, payments, restart } = await startShop();
    await payments.journal.plan().paymentIntents.create(params, options);
    sandbox.faults.inject({ kind: 'rate_limit', operation: 'paymentIntents.create' });
    const [operation] = await listOpen(payments);
    await expect(operation?.resume()).rejects.toThrow(RateLimitError);
    sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.create', status: 403, body: {} });
    await failureOf(restart().paymentIntents.create(params, options), PermissionError);
    const [again] = await listOpen(payments);
    expect(again).toMatchObject({ state: 'planned' });
    await again?.settle({ outcome: 'not_executed' });
    sandbox.faults.inject({ kind: 'rate_limit', operation: 'paymentIntents.create' });
    await failureOf(restart().paymentIntents.create(params, options), RateLimitError);
    expect(await listOpen(payments)).toEqual([]);
  });

  it('that was settled as not executed can be planned again', async () => {
    const { payments } = await startShop();
    await payments.journal.plan().paymentIntents.create(params, options);
    await payments.journal.settle('order-1042', {
      operation: 'paymentIntents.create',
      outcome: 'not_executed',
    });
    expect(await listOpen(payments)).toEqual([]);
    await payments.journal.plan().paymentIntents.create(params, options);
    expect(await listOpen(payments)).toMatchObject([{ state: 'planned' }]);
  });

  it('is unknown after a lost response, and retried with the key that the service has', async () => {
    let now = Date.now();
    const { sandbox, payments, restart } = await startShop({ now: () => now });
    await payments.journal.plan().paymentIntents.create(params, options);
    // The service remembers a key from the first request, however long ago it was planned.
    now += 7 * 86_400_000;
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    const [planned] = await listOpen(restart());
    await expect(planned?.resume()).rejects.toThrow(ConnectionError);
    const { operationId } = options;
    expect(await listOpen(payments)).toMatchObject([
      { state: 'unknown', operationId, startedAt: new Date(now) },
    ]);
    await restart().paymentIntents.create(params, options);
    expect(sandbox.requests.map(({ replayed }) => replayed)).toEqual([false, true]);
  });

  it('checks its parameters as the call does', async () => {
    const { payments } = await startShop();
    const plan = payments.journal.plan();
    await failureOf(plan.paymentIntents.create({ ...params, amount: -1 }, options), InvalidRequestError);
    await failureOf(
      plan.paymentIntents.confirm('ch_1', { payment_method: 'pm_card' }, options),
      InvalidRequestError,
    );
    expect(await listOpen(payments)).toEqual([]);
  });
});

it('plans every method that moves money, and no other', async () => {
  const { payments } = await startShop();
  const planned = Object.entries(payments.journal.plan()).flatMap(([collection, methods]) =>
    Object.keys(methods).map((method) => `${collection}.${method}`),
  );
  const moving = Object.entries(routes).filter(([, { movesMoney }]) => movesMoney);
  expect(planned.sort()).toEqual(moving.map(([name]) => name).sort());
});

it('plans nothing if the store fails, or if the journal could not send it later', async () => {
  const fail = () => Promise.reject(new Error('down'));
  const down: ClaimStore = { claim: fail, renew: fail, complete: fail, release: fail, open: fail };
  const { restart } = await startShop();
  const planned = (payments: PaymentsClient) =>
    payments.journal.plan().paymentIntents.create(params, options);
  await failureOf(planned(restart({ store: down })), JournalError);
  expect(() => restart({ contents: 'digest' }).journal.plan()).toThrow(ConfigurationError);
  const client = { query: fail };
  const within = restart().journal.plan({ client }).paymentIntents.create(params, options);
  await failureOf(within, ConfigurationError);
});

it('does not release a late claim, which belongs to the transaction', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const fail = () => Promise.reject(new Error('down'));
  const end = vi.fn(fail);
  let grant: ((claim: ClaimResult) => void) | undefined;
  const claim = () => new Promise<ClaimResult>((resolve) => (grant = resolve));
  const store: ClaimStore<PostgresClient> = { claim, renew: fail, complete: end, release: end, open: fail };
  const { payments } = await startShop({ store });
  const planned = payments.journal.plan({ client: { query: fail } }).paymentIntents.create(params, options);
  const failure = failureOf(planned, JournalError);
  await vi.waitFor(() => expect(grant).toBeDefined());
  vi.advanceTimersByTime(5_000);
  await failure;
  grant?.({ status: 'claimed', token: 'token', attempt: 1, data: undefined });
  await new Promise(setImmediate);
  expect(end).not.toHaveBeenCalled();
});

const { isSkipped, why } = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/journal/planned-calls.services.test.ts',
);

describe.skipIf(isSkipped)(`within a transaction of PostgreSQL${why}`, () => {
  let server: PostgresServer | undefined;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgresServer();
    pool = new pg.Pool({ ...server.connection, max: 10 });
    await postgresStore(pool).migrate();
    await pool.query('CREATE TABLE orders (id text PRIMARY KEY)');
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  async function startOrders(id: string) {
    const sandbox = await startSandbox();
    const payments = clientOf(sandbox, { journal: { store: postgresStore(pool) }, maxRetries: 0 });
    const client = await pool.connect();
    onTestFinished(() => client.release());
    const options = { operationId: id };
    const order = async (plan: PlannedCalls = payments.journal.plan({ client })) => {
      await client.query('INSERT INTO orders VALUES ($1)', [id]);
      await plan.paymentIntents.create(params, options);
    };
    const find = async () => (await listOpen(payments)).filter(({ operationId }) => operationId === id);
    const rows = async () => (await pool.query('SELECT id FROM orders WHERE id = $1', [id])).rows;
    return { sandbox, payments, client, options, order, find, rows };
  }

  it('commits order and operation together', async () => {
    const { sandbox, payments, client, options, order, find, rows } = await startOrders('together');
    await client.query('BEGIN');
    await order();
    expect([await find(), await rows()]).toEqual([[], []]);
    await client.query('COMMIT');
    expect(await rows()).toHaveLength(1);
    const [operation] = await find();
    expect(operation).toMatchObject({ state: 'planned' });
    await operation?.resume();
    expect(await payments.paymentIntents.create(params, options)).toMatchObject({ amount: 1200 });
    expect(sandbox.requests).toHaveLength(1);
  });

  it('needs no other connection, also with an account', async () => {
    const alone = new pg.Pool({ ...server?.connection, max: 1 });
    onTestFinished(() => alone.end());
    const journal = { store: postgresStore(alone), account: 'shop-test' };
    const payments = clientOf(await startSandbox(), { journal, maxRetries: 0 });
    const client = await alone.connect();
    await client.query('BEGIN');
    await payments.journal.plan({ client }).paymentIntents.create(params, { operationId: 'alone' });
    await client.query('COMMIT');
    client.release();
    expect(await listOpen(payments)).toMatchObject([{ operationId: 'alone', state: 'planned' }]);
    expect(await payments.paymentIntents.create(params, { operationId: 'alone' })).toMatchObject({
      amount: 1200,
    });
    expect(await listOpen(payments)).toEqual([]);
  });

  it('keeps neither after a rollback, and the id is free again', async () => {
    const { payments, client, options, order, find, rows } = await startOrders('neither');
    await client.query('BEGIN');
    await order();
    await client.query('ROLLBACK');
    expect([await find(), await rows()]).toEqual([[], []]);
    expect(await payments.paymentIntents.create({ ...params, amount: 7 }, options)).toMatchObject({
      amount: 7,
    });
  });

  it('makes the call wait for the transaction, and then send the committed operation', async () => {
    const { sandbox, payments, client, options, order } = await startOrders('waits');
    await client.query('BEGIN');
    await order();
    const call = payments.paymentIntents.create(params, options);
    // Whether or not it is waiting yet, it sees the commit.
    await client.query('COMMIT');
    expect(await call).toMatchObject({ amount: 1200 });
    await failureOf(
      payments.paymentIntents.create({ ...params, amount: 7 }, options),
      OperationMismatchError,
    );
    expect(sandbox.requests).toHaveLength(1);
  });

  it('does not abort the transaction after a wrong operation', async () => {
    const { payments, client, order, find, rows, options } = await startOrders('wrong');
    await payments.paymentIntents.create({ ...params, amount: 7 }, options);
    await client.query('BEGIN');
    await failureOf(order(), OperationMismatchError);
    await client.query('ROLLBACK');
    expect([await find(), await rows()]).toEqual([[], []]);
  });
});
