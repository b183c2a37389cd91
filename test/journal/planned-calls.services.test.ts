import { OperationMismatchError } from 'payments-client';
import type { PlannedCalls } from 'payments-client/journal';
import { createJournal } from 'payments-client/journal';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { skipWithout } from '../support/skip.ts';
import { listOpen, params } from './shop.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/journal/planned-calls.services.test.ts',
);

describe.skipIf(isSkipped)(`planning within a transaction of PostgreSQL${why}`, () => {
  let server: PostgresServer | undefined;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgresServer();
    pool = new pg.Pool({ ...server.connection, max: 10 });
    await postgresStore(pool).migrate();
    await pool.query('CREATE TABLE orders (id text PRIMARY KEY)');
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  async function startOrders(id: string) {
    const sandbox = await startSandbox();
    const payments = clientOf(sandbox, {
      journal: createJournal({ store: postgresStore(pool) }),
      maxRetries: 0,
      repeats: 'recorded',
    });
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
    const journal = createJournal({ store: postgresStore(alone), account: 'shop-test' });
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
