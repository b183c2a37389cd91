/** A store that was restored from a backup knows nothing of the time since the backup. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { ConnectionError, InvalidRequestError, OperationUnresolvedError } from 'payments-client';
import { postgresStore, redisStore, type Store } from 'payments-client/stores';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { hasPostgres, type PostgresServer, runOn, startPostgresServer } from '../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../support/redis-server.ts';
import { skipWithout } from '../support/skip.ts';
import { listOpen, params, recorded, startShop } from './shop.ts';

const file = 'test/journal/restored.services.test.ts';
const postgres = skipWithout(hasPostgres(), 'PostgreSQL', file);
const redis = skipWithout(hasRedis(), 'redis-server', file);

const sale = { amount: '12.00', payment_token: 'tok_1' };

/** A store, and a function that backs it up and returns a function that restores it elsewhere. */
interface BackedUp {
  readonly store: Store;
  backUp(): Promise<() => Promise<Store>>;
}

let server: PostgresServer | undefined;
beforeAll(async () => {
  if (!postgres.isSkipped) server = await startPostgresServer();
});
afterAll(() => server?.stop());

/** Creates a database, and runs a dump there. */
async function createDatabase(dump: string): Promise<PostgresServer['connection']> {
  if (server === undefined) throw new Error('the server is not started');
  const database = `shop_${crypto.randomUUID().replaceAll('-', '')}`;
  runOn(server.connection, 'psql', ['-c', `CREATE DATABASE ${database}`]);
  const connection = { ...server.connection, database };
  runOn(connection, 'psql', ['-v', 'ON_ERROR_STOP=1'], dump);
  return connection;
}

/** Backs up the tables alone, as `pg_dump --table` does; `migrate()` adds the functions. */
async function openPostgres(dump = ''): Promise<BackedUp> {
  const connection = await createDatabase(dump);
  const pool = new pg.Pool({ ...connection, max: 4 });
  onTestFinished(() => pool.end());
  const store = postgresStore(pool);
  await store.migrate();
  const backUp = async () => {
    const tables = runOn(connection, 'pg_dump', ['--table', 'payments_claims*']);
    return async () => (await openPostgres(tables)).store;
  };
  return { store, backUp };
}

async function openRedis(dump?: Uint8Array): Promise<BackedUp> {
  const fresh = await startRedisServer(dump === undefined ? {} : { dump });
  const client = new Redis(fresh.path);
  onTestFinished(async () => {
    client.disconnect();
    await fresh.stop();
  });
  const backUp = async () => {
    await client.save();
    const rdb = readFileSync(join(dirname(fresh.path), 'dump.rdb'));
    return async () => (await openRedis(rdb)).store;
  };
  return { store: redisStore(client), backUp };
}

describe.each([
  { name: `tables of PostgreSQL${postgres.why}`, skip: postgres.isSkipped, open: () => openPostgres() },
  { name: `RDB file${redis.why}`, skip: redis.isSkipped, open: () => openRedis() },
])('a journal restored from the $name', ({ skip, open }) => {
  it.skipIf(skip)('still returns the results from before the backup', async () => {
    const { store, backUp } = await open();
    const { sandbox, payments, restart } = await startShop({ store });
    const sold = await payments.transact.sale(sale, { operationId: 'before' });
    const restore = await backUp();
    const restored = restart({ store: await restore() });
    expect(await restored.transact.sale(sale, { operationId: 'before' })).toEqual(recorded(sold));
    expect(sandbox.requests).toHaveLength(1);
  });

  it.skipIf(skip)('forgets the calls since: a key protects them, but a sale is charged again', async () => {
    const { store, backUp } = await open();
    const { sandbox, payments, restart } = await startShop({ store }, { repeats: 'recorded' });
    const restore = await backUp();
    const since = { operationId: 'since' };
    const sold = await payments.transact.sale(sale, since);
    const intent = await payments.paymentIntents.create(params, since);
    const restored = restart({ store: await restore() });
    expect(await listOpen(restored)).toEqual([]);
    const settled = restored.journal.settle('since', { operation: 'transact.sale', outcome: 'executed' });
    await failureOf(settled, InvalidRequestError);

    expect(await restored.paymentIntents.create(params, since)).toEqual(recorded(intent));
    const again = await restored.transact.sale(sale, since);
    expect(again.transactionid).not.toBe(sold.transactionid);
    expect(sandbox.requests).toHaveLength(4);
  });

  it.skipIf(skip)('lists what was open at the backup, and sends no sale of it again', async () => {
    const { store, backUp } = await open();
    const { sandbox, payments, restart } = await startShop({ store });
    const both = { operationId: 'open at the backup' };
    for (const operation of ['transact.submit', 'paymentIntents.create'] as const) {
      sandbox.faults.inject({ kind: 'drop_reply', operation });
    }
    await failureOf(payments.transact.sale(sale, both), ConnectionError);
    await failureOf(payments.paymentIntents.create(params, both), ConnectionError);
    const restore = await backUp();
    const intent = await payments.paymentIntents.create(params, both);
    await payments.journal.settle(both.operationId, { operation: 'transact.sale', outcome: 'executed' });
    expect(await listOpen(payments)).toEqual([]);

    const restored = restart({ store: await restore() });
    const opened = new Map((await listOpen(restored)).map((one) => [one.operation, one]));
    expect(await opened.get('paymentIntents.create')?.resume()).toMatchObject({ id: intent.id });
    await failureOf(Promise.resolve(opened.get('transact.sale')?.resume()), OperationUnresolvedError);
    await failureOf(restored.transact.sale(sale, both), OperationUnresolvedError);
    expect(sandbox.requests.filter(({ operation }) => operation === 'transact.sale')).toHaveLength(1);
  });
});
