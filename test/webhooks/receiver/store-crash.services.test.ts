/**
 * A store crashes while a handler runs, and restarts: each delivery gets a response in time, the process survives, and
 * the event is handled.
 */

import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis as Ioredis } from 'ioredis';
import { type PostgresClient, postgresStore, redisStore } from 'payments-client/stores';
import type { Receiver } from 'payments-client/webhooks';
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { inTransaction } from '../../support/pg-transaction.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { listen } from './running.ts';
import { send } from './send.ts';

const failed = eventOf('refund.failed');
const timeout = 1000;
/** Short, because a claim that survives the crash blocks the event until its lease ends. */
const lease = 700;
/** The timeouts of all store operations of a delivery: claim, renew and end. */
const responseDeadline = 5 * timeout;

const common = { lease, onError: () => {} };

/** Delivers over HTTP, and returns the response, which must arrive in time. */
async function startServer({ node }: Pick<Receiver, 'node'>) {
  const url = await listen(createServer(node));
  return async (value: unknown = failed): Promise<string> => {
    const sent = send(url, await delivery(value));
    const response = await Promise.race([sent, wait(responseDeadline, undefined, { ref: false })]);
    return response === undefined ? 'no response in time' : `${response.status} ${response.outcome}`;
  };
}

/** Delivers as the service does, until it is acknowledged. */
async function untilAcknowledged(deliver: () => Promise<string>): Promise<string> {
  for (let attempt = 1; attempt <= 100; attempt += 1) {
    const response = await deliver();
    if (response.startsWith('200')) return response;
    await wait(50);
  }
  throw new Error('the delivery was never acknowledged');
}

/** Pauses the first handler. */
function gate() {
  let reach = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = () => {
    reach();
    return opened;
  };
  return { reached, open, pass };
}

const isFailure = /^50[03] failed$/;

const redis = skipWithout(hasRedis(), 'redis-server', 'test/webhooks/receiver/store-crash.services.test.ts');

describe.skipIf(redis.isSkipped)(`a Redis that crashes${redis.why}`, () => {
  async function startStore(kind: 'redis' | 'ioredis', isDurable: boolean) {
    const server = await startRedisServer({ isDurable });
    onTestFinished(() => server.stop());
    const log = () => {};
    const node = await createClient({ socket: { path: server.path, tls: false } })
      .on('error', log)
      .connect();
    const io = new Ioredis({ path: server.path }).on('error', log);
    onTestFinished(() => {
      node.destroy();
      io.disconnect();
    });
    return { server, store: redisStore(kind === 'redis' ? node : io, { timeout }) };
  }

  const clients = ['redis', 'ioredis'] as const;

  it.each(clients.flatMap((kind) => [true, false].map((isDurable) => ({ kind, isDurable }))))(
    'while a handler runs does not lose its event ($kind, durable: $isDurable)',
    async ({ kind, isDurable }) => {
      const { server, store } = await startStore(kind, isDurable);
      const { reached, open, pass } = gate();
      let effects = 0;
      const handler = async () => {
        effects += 1;
        await pass();
      };
      const receiver = webhooksAt().receiver({ ...common, store, on: { 'refund.failed': handler } });
      const deliver = await startServer(receiver);

      const first = deliver();
      await reached;
      await server.crash();
      open();
      expect(await first).toMatch(isFailure);
      expect(await deliver()).toMatch(isFailure);
      expect(effects).toBe(1);

      await server.restart();
      const last = await untilAcknowledged(deliver);
      // If the record survived, a client may still send the end of the first handler.
      expect(['200 handled 2', '200 duplicate 1']).toContain(`${last} ${effects}`);
      if (!isDurable) expect(last).toBe('200 handled');
      expect(await deliver()).toBe('200 duplicate');
    },
  );
});

const postgres = skipWithout(
  hasPostgres(),
  'PostgreSQL server',
  'test/webhooks/receiver/store-crash.services.test.ts',
);

describe.skipIf(postgres.isSkipped)(`a PostgreSQL that fails${postgres.why}`, () => {
  /** Starts a pool as in the guide, with error listeners on the pool and on each connection. */
  async function startPool() {
    const server = await startPostgresServer({ isDurable: true });
    onTestFinished(() => server.stop());
    const log = () => {};
    const pool = new pg.Pool({ ...server.connection, max: 2 })
      .on('error', log)
      .on('connect', (client) => void client.on('error', log));
    onTestFinished(() => pool.end());
    const store = postgresStore(pool, { timeout });
    await store.migrate();
    await pool.query('CREATE TABLE effects (event text)');
    const effects = async () => (await pool.query('SELECT event FROM effects')).rows.length;
    return { server, pool, store, effects };
  }

  const insert = (client: PostgresClient) => client.query('INSERT INTO effects VALUES ($1)', ['evt_1']);

  type Pass = () => Promise<void>;
  type Started = Awaited<ReturnType<typeof startPool>>;
  const ways: Record<string, (started: Started, pass: Pass) => Pick<Receiver, 'node'>> = {
    'under a lease': ({ store, pool }, pass) => {
      const handler = async () => {
        await insert(pool);
        await pass();
      };
      return webhooksAt().receiver({ ...common, store, on: { 'refund.failed': handler } });
    },
    'with completeIn': ({ store, pool }, pass) =>
      webhooksAt().receiver({
        ...common,
        store,
        on: {
          'refund.failed': (_event, { completeIn }) =>
            inTransaction(pool, async (client) => {
              await insert(client);
              await pass();
              await completeIn(client);
            }),
        },
      }),
    'in a transaction': ({ store, pool }, pass) =>
      webhooksAt().receiver({
        ...common,
        store,
        transaction: (run: (client: PostgresClient) => Promise<void>) => inTransaction(pool, run),
        on: {
          'refund.failed': async (_event, { client }) => {
            await insert(client);
            await pass();
          },
        },
      }),
  };

  function receiverFor(way: string, started: Started, pass: Pass) {
    const make = ways[way];
    if (make === undefined) throw new Error(`There is no way ${way}.`);
    return make(started, pass);
  }

  it.each(Object.keys(ways))('that crashes while a handler runs %s does not lose its event', async (way) => {
    const started = await startPool();
    const { server, effects } = started;
    const { reached, open, pass } = gate();
    const deliver = await startServer(receiverFor(way, started, pass));

    const first = deliver();
    await reached;
    await server.crash();
    open();
    expect(await first).toMatch(isFailure);
    expect(await deliver()).toMatch(isFailure);

    await server.restart();
    expect(await untilAcknowledged(deliver)).toBe('200 handled');
    // Under a lease, the effect already existed before the crash.
    expect(await effects()).toBe(way === 'under a lease' ? 2 : 1);
    expect(await deliver()).toBe('200 duplicate');
  });

  it.each(Object.keys(ways))(
    'whose pool is exhausted leads to a 503 in time, and the event is handled later (%s)',
    async (way) => {
      const started = await startPool();
      const { pool, effects } = started;
      const deliver = await startServer(receiverFor(way, started, () => Promise.resolve()));
      const others = await Promise.all([pool.connect(), pool.connect()]);
      expect(await deliver()).toBe('503 failed');
      for (const other of others) other.release();
      expect(await untilAcknowledged(deliver)).toBe('200 handled');
      expect(await effects()).toBe(1);
      expect(await deliver()).toBe('200 duplicate');
      expect([pool.idleCount, pool.waitingCount]).toEqual([pool.totalCount, 0]);
    },
  );
});
