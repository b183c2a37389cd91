/** The contract of each mode over real servers, and what PostgreSQL adds: waits, stopped processes, exhausted pools. */

import { EventEmitter, once } from 'node:events';
import { Redis } from 'ioredis';
import { type PostgresClient, redisStore } from 'payments-client/stores';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventOf } from '../../support/deliveries.ts';
import { inTransaction } from '../../support/pg-transaction.ts';
import { emptyPglite } from '../../support/pglite.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { inlineBackend, openPool, pooledBackend, postgresBackend } from './backends.ts';
import { type Handler, modes, openShop } from './modes.ts';
import { handlesOnceOver, untilHandled } from './suite-of-modes.ts';

const file = 'test/webhooks/receiver/modes.services.test.ts';
let count = 0;

const redis = skipWithout(hasRedis(), 'redis-server', file);
describe.skipIf(redis.isSkipped)(`Redis${redis.why}`, () => {
  let server: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedisServer();
    client = new Redis({ path: server.path });
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });

  const start = async () => {
    count += 1;
    return inlineBackend(redisStore(client, { prefix: `test${count}:` }));
  };
  handlesOnceOver('Redis', start, ['inline']);
});

const failed = eventOf('refund.failed');

const postgres = skipWithout(hasPostgres(), 'PostgreSQL', file);
describe.skipIf(postgres.isSkipped)(`PostgreSQL${postgres.why}`, () => {
  let server: PostgresServer;
  let shared: pg.Pool;
  beforeAll(async () => {
    server = await startPostgresServer();
    shared = openPool(server.connection, 10);
  });
  afterAll(async () => {
    await shared?.end();
    await server?.stop();
  });

  function pooled(max: number): pg.Pool {
    const pool = openPool(server.connection, max);
    onTestFinished(() => pool.end());
    return pool;
  }
  const backendOf = (pool: pg.Pool) => {
    count += 1;
    return pooledBackend(pool, { number: count });
  };

  handlesOnceOver('PostgreSQL', () => backendOf(shared));

  const common = { mode: 'transaction', arrival: 'request' } as const;
  const idle: Handler = (work) => work.add();

  it.each(modes)('handles one of many concurrent deliveries (%s)', async (mode) => {
    const backend = await backendOf(shared);
    const { deliver } = openShop({ ...common, mode, backend, handler: idle });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => deliver(failed)));
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1);
    // A transaction waits for the other one; a claim does not.
    const others = mode === 'transaction' ? ['duplicate'] : ['duplicate', 'in_progress'];
    for (const outcome of outcomes) expect(['handled', ...others]).toContain(outcome);
    expect(await backend.effects()).toEqual(['evt_1']);
  });

  it('is in progress for a transaction while a process without transactions has a claim', async () => {
    const backend = await backendOf(shared);
    await backend.store.claim('webhook.default/test//evt_1', 60_000);
    const { deliver } = openShop({ ...common, backend, handler: idle });
    expect(await deliver(failed)).toBe('in_progress');
    expect(await backend.effects()).toEqual([]);
  });

  it('keeps what failed, although a discard that waited for its transaction is granted later', async () => {
    const handler = new EventEmitter();
    const released = once(handler, 'released');
    let waits = false;
    const { receiver, deliver } = openShop({
      ...common,
      backend: await backendOf(pooled(4)),
      handler: async () => {
        if (waits) handler.emit('reached');
        if (waits) await released;
        throw new Error('no stock');
      },
    });
    await deliver(failed);
    waits = true;
    const reached = once(handler, 'reached');
    const second = deliver(failed);
    await reached;
    const discarding = receiver.discard('webhook.default/test//evt_1');
    await expect(discarding).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
    handler.emit('released');
    expect(await second).toBe('failed');
    // It is claimed until the late claim is released, not for the minute of its lease.
    while ((await receiver.failed().next()).done === true);
  });

  it('ends the transaction of a process that is stopped, and meanwhile handles the events of others', async () => {
    const handler = new EventEmitter();
    const reached = once(handler, 'reached');
    const released = once(handler, 'released');
    // Long enough for the deliveries before its end, even on a busy machine.
    const options = { lease: 8000 };
    const pool = pooled(4);
    const backend = await backendOf(pool);
    const own = pooled(1);
    // It looks at no signal, as nothing in a stopped process does.
    const stopped = openShop({
      ...common,
      options,
      backend: { ...backend, transaction: (run) => inTransaction(own, run) },
      handler: async (work) => {
        await work.add();
        handler.emit('reached');
        await released;
      },
    });
    const other = openShop({ ...common, options, backend, handler: idle });
    const unanswered = stopped.deliver(failed);
    await reached;
    // As many as the pool has connections. A busy machine may take longer than a transaction may take to start.
    const meanwhile = await Promise.all(Array.from({ length: 4 }, () => other.deliver(failed)));
    for (const outcome of meanwhile) expect(['in_progress', 'failed']).toContain(outcome);
    expect(await other.deliver(eventOf('refund.failed', { id: 'evt_other' }))).toBe('handled');

    expect(await untilHandled(other.deliver)).toBe('handled');
    handler.emit('released');
    expect(await unanswered).toBe('failed');
    expect((await backend.effects()).toSorted()).toEqual(['evt_1', 'evt_other']);
  });
});

describe('PGlite', () => {
  // Its first start compiles it, which takes minutes on a busy machine.
  beforeAll(async () => void (await emptyPglite()), 600_000);

  it('needs one statement more than the effect, and two for a body that none can read', async () => {
    const database = await emptyPglite();
    const statements: string[] = [];
    const recorded = (client: Pick<PostgresClient, 'query'>): PostgresClient => ({
      query: (text, values) => {
        statements.push(text.trim().split(/\s/)[0] ?? '');
        return client.query(text, values);
      },
    });
    const backend = await postgresBackend(recorded(database), (run) =>
      database.transaction((client) => run(recorded(client))),
    );
    const { deliver } = openShop({
      mode: 'transaction',
      arrival: 'request',
      backend,
      handler: (work) => work.add(),
    });
    const statementsOf = async (value: unknown) => {
      statements.length = 0;
      return [await deliver(value), ...statements];
    };
    // The first one asks once whether the database is a server.
    expect(await statementsOf(failed)).toEqual(['handled', 'SELECT', 'SELECT', 'INSERT']);
    expect(await statementsOf(failed)).toEqual(['duplicate', 'SELECT', 'SELECT']);
    // The claim, and its release with the body.
    expect(await statementsOf([])).toEqual(['failed', 'INSERT', 'UPDATE']);
  });

  it('keeps the settings of a connection, also the idle time, whose end would end the program', async () => {
    const database = await emptyPglite();
    const settings = async (client: Pick<PostgresClient, 'query'>) => {
      const names = ['lock_timeout', 'idle_in_transaction_session_timeout'];
      const columns = names.map((name) => `current_setting('${name}') AS ${name}`);
      return (await client.query(`SELECT ${columns}`, [])).rows[0];
    };
    await database.query(`SET lock_timeout = '7s'`);
    onTestFinished(async () => void (await database.query('RESET lock_timeout')));
    const seen: unknown[] = [];
    const backend = await postgresBackend(database, (run) =>
      database.transaction(async (client) => {
        await run(client);
        seen.push(await settings(client));
      }),
    );
    const { deliver } = openShop({
      mode: 'transaction',
      arrival: 'request',
      backend,
      handler: (work) => work.add(),
    });
    expect(await deliver(failed)).toBe('handled');
    seen.push(await settings(database));
    const kept = { lock_timeout: '7s', idle_in_transaction_session_timeout: '0' };
    expect(seen).toEqual([kept, kept]);
  });
});
