/** The option `replicas` with real servers: what a journal writes is on replicas before anything is sent. */

import { Redis as Ioredis } from 'ioredis';
import { JournalError, PaymentsError } from 'payments-client';
import { redisStore } from 'payments-client/stores';
import { createClient, createClientPool } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { params, startShop } from '../../journal/shop.ts';
import { failureOf } from '../../support/failure.ts';
import { hasRedis, type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { claimOf, day, freshKey } from '../time.ts';

const file = 'test/stores/redis/replicas.services.test.ts';
/** For a store that waits in vain: a short time is enough on any machine. */
const inVain = { timeout: 300 };

const { isSkipped, why } = skipWithout(hasRedis(), 'redis-server', file);

describe.skipIf(isSkipped)(`a Redis with a replica${why}`, () => {
  const ends: (() => unknown)[] = [];
  const servers: RedisServer[] = [];
  const admins: Ioredis[] = [];
  const clients = new Map<string, Parameters<typeof redisStore>[0]>();

  const start = async () => {
    const server = await startRedisServer({ hasPort: true, options: ['--repl-diskless-sync-delay', '0'] });
    const admin = new Ioredis(server.path);
    servers.push(server);
    admins.push(admin);
    ends.unshift(
      () => admin.disconnect(),
      () => server.stop(),
    );
    return { server, admin };
  };

  const follow = async () => {
    const [primary, replica] = [servers[0], admins[1]];
    await replica?.replicaof('127.0.0.1', primary?.port ?? 0);
    while (!(await replica?.info('replication'))?.includes('master_link_status:up'));
  };

  beforeAll(async () => {
    const { server } = await start();
    await start();
    const options = { socket: { path: server.path, tls: false as const } };
    const redis = await createClient(options).connect();
    const pool = createClientPool(options, { minimum: 3, maximum: 3 });
    await pool.connect();
    const ioredis = new Ioredis({ path: server.path });
    clients.set('redis', redis).set('a pool of redis', pool).set('ioredis', ioredis);
    ends.unshift(
      () => redis.destroy(),
      () => pool.destroy(),
      () => ioredis.disconnect(),
    );
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  beforeEach(follow);

  const stray = () => admins[1]?.replicaof('127.0.0.1', 1);
  const storeOf = (name: string, options: Parameters<typeof redisStore>[1] = {}) => {
    const client = clients.get(name);
    if (client === undefined) throw new Error(`there is no client ${name}`);
    return redisStore(client, { replicas: 1, timeout: 5000, ...options });
  };

  it.each(['redis', 'a pool of redis', 'ioredis'])(
    'has what a journal and orders write before the call ends (%s)',
    async (name) => {
      const store = storeOf(name);
      const key = `operation/${freshKey()}`;
      const onReplica = (field = 'data') => admins[1]?.hget(`payments-client:{claims}${key}`, field);
      const { token } = claimOf(await store.claim(key, day, { data: 'sent' }));
      expect(await onReplica()).toBe('sent');
      await store.renew(key, token, day, { data: 'sent again' });
      expect(await onReplica()).toBe('sent again');
      await store.complete(key, token, day, { data: 'done' });
      expect(await onReplica('done')).toBe('1');
      await store.save(key, 0, 'paid', { wakeAt: null });
      expect(await admins[1]?.hget(`payments-client:{documents}${key}`, 'data')).toBe('paid');
    },
  );

  it.each(['redis', 'a pool of redis', 'ioredis'])(
    'that does not follow refuses what a journal writes, and lets go of it (%s)',
    async (name) => {
      const { sandbox, payments, restart } = await startShop({ store: storeOf(name, inVain) });
      const options = { operationId: freshKey() };
      await stray();
      const error = await failureOf(payments.paymentIntents.create(params, options), JournalError);
      expect(error.cause).toMatchObject({ code: 'STORE_NOT_REPLICATED' });
      expect(error.retryable).toBe(true);
      expect(error.message).toContain(
        'redisStore.replicas: expected the record on 1 of the replicas in time, got it on 0.',
      );
      expect(sandbox.requests).toEqual([]);
      expect((await payments.journal.backlog()).count).toBe(0);
      await follow();
      await restart({ store: storeOf(name) }).paymentIntents.create(params, options);
      expect(sandbox.requests).toHaveLength(1);
    },
  );

  it('that does not follow confirms no result and no order, and does not matter to others', async () => {
    const key = `operation/${freshKey()}`;
    const { token } = claimOf(await storeOf('redis').claim(key, day, { data: 'sent' }));
    await stray();
    const store = storeOf('redis', inVain);
    const completion = await failureOf(store.complete(key, token, day, { data: 'done' }), PaymentsError);
    expect(completion).toMatchObject({ code: 'STORE_NOT_REPLICATED' });
    // It is recorded all the same.
    expect(await store.claim(key, day, { data: 'sent' })).toEqual({ status: 'completed', data: 'done' });
    expect(await store.claim(freshKey(), day)).toMatchObject({ status: 'claimed' });
    expect(await store.advance(freshKey(), 1, 'data')).toMatchObject({ advanced: true });
    const failure = await failureOf(store.save(freshKey(), 0, '{}', { wakeAt: null }), PaymentsError);
    expect(failure).toMatchObject({ code: 'STORE_NOT_REPLICATED', retryable: true });
  });

  it('takes no writes itself', async () => {
    const [, replica] = admins;
    if (replica === undefined) throw new Error('there is no replica');
    const { sandbox, payments } = await startShop({ store: redisStore(replica) });
    const error = await failureOf(payments.paymentIntents.create(params, { operationId: 'a' }), JournalError);
    expect(error.cause).toMatchObject({ code: 'STORE_READ_ONLY' });
    expect(error).toMatchObject({ retryable: true });
    expect(error.message).toContain(
      'redisStore.client: expected the primary, got a replica, which takes no writes. Nothing was recorded: pass a client of the primary. This call sent nothing.',
    );
    expect(sandbox.requests).toEqual([]);
  });
});

it('a client without a pipeline is refused', () => {
  expect(() => redisStore({ isOpen: true, eval: async () => 1 }, { replicas: 1 })).toThrow(
    'redisStore.client: expected a client with multi or pipeline, for the option replicas',
  );
  expect(() => redisStore({ isOpen: true, eval: async () => 1 }, { replicas: 11 })).toThrow(
    'redisStore.replicas: expected an integer from 0 to 10',
  );
});
