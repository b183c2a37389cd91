import { Redis as Ioredis } from 'ioredis';
import { JournalError } from 'payments-client';
import { typicalVelocityRules, VelocityGuard } from 'payments-client/fraud';
import { redisStore, type Store } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { makeEvent } from 'payments-client-sandbox/testing';
import { createClient } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { options as operation, params, startShop } from '../../journal/shop.ts';
import { failureOf } from '../../support/failure.ts';
import { hasRedis, type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { skipWithout } from '../../support/skip.ts';

const connected = async (path: string) => await createClient({ socket: { path, tls: false } }).connect();

const { isSkipped, why } = skipWithout(
  hasRedis(),
  'redis-server',
  'test/stores/redis/eviction.services.test.ts',
);

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const warningOf = (got: string) => [
  expect.stringContaining(`expected the maxmemory-policy noeviction, got ${got}. `),
  {},
];

/** Returns a logger and its warnings. */
function logged() {
  const lines: unknown[][] = [];
  return { lines, logger: { warn: (...line: unknown[]) => lines.push(line) } };
}

/** Takes two payments with a journal. */
async function pay(store: Store) {
  const { payments } = await startShop({ store });
  await payments.paymentIntents.create(params, { operationId: 'a' });
  await payments.paymentIntents.create(params, { operationId: 'b' });
}

/** Handles two deliveries, and returns their statuses. */
async function deliver(store: Store) {
  const webhooks = new Webhooks({ secret });
  const { fetch } = webhooks.receiver({ store, on: { 'refund.failed': () => {} } });
  const statuses: number[] = [];
  for (let number = 1; number <= 2; number += 1) {
    const body = JSON.stringify(makeEvent('refund.failed'));
    const headers = await webhooks.sign(body);
    statuses.push(
      (await fetch(new Request('https://shop.example', { method: 'POST', body, headers }))).status,
    );
  }
  return statuses;
}

describe.skipIf(isSkipped)(`a Redis that may evict records${why}`, () => {
  let server: RedisServer;
  let admin: Ioredis;
  let clients: { readonly redis: Awaited<ReturnType<typeof connected>>; readonly ioredis: Ioredis };
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await startRedisServer();
    ends.push(() => server.stop());
    admin = new Ioredis({ path: server.path });
    const ioredis = new Ioredis({ path: server.path });
    const redis = await connected(server.path);
    clients = { redis, ioredis };
    ends.unshift(
      () => redis.destroy(),
      () => ioredis.disconnect(),
      () => admin.disconnect(),
    );
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const limit = async (maxmemory: string, policy: string) => {
    await admin.config('SET', 'maxmemory', maxmemory);
    await admin.config('SET', 'maxmemory-policy', policy);
  };
  beforeEach(async () => {
    await admin.flushall();
    await limit('100mb', 'allkeys-lru');
  });

  it.each([
    ['redis', 'allkeys-lru'],
    ['redis', 'volatile-ttl'],
    ['ioredis', 'allkeys-lru'],
    ['ioredis', 'volatile-ttl'],
  ] as const)('is refused by the journal until it is corrected (%s, %s)', async (name, policy) => {
    await limit('100mb', policy);
    const { lines, logger } = logged();
    const { payments, sandbox } = await startShop({ store: redisStore(clients[name], { logger }) });
    for (const call of [
      () => payments.paymentIntents.create(params, operation),
      () => payments.journal.plan().paymentIntents.create(params, operation),
    ]) {
      const error = await failureOf(call(), JournalError);
      expect(error).toMatchObject({ outcome: 'unknown', retryable: false, code: 'JOURNAL_UNAVAILABLE' });
      expect(error.cause).toMatchObject({ name: 'PaymentsError', code: 'STORE_EVICTS' });
      expect(error.message).toContain(`expected the maxmemory-policy noeviction, got ${policy}.`);
      expect(error.message).toContain('This call sent nothing.');
    }
    expect(sandbox.requests).toEqual([]);
    expect(await admin.keys('*')).toEqual([]);
    await limit('100mb', 'noeviction');
    await payments.paymentIntents.create(params, operation);
    expect(lines).toEqual([]);
  });

  it.each([
    ['100mb', 'noeviction'],
    ['0', 'allkeys-lru'],
  ])('that has the limit %s and %s is none, and a receiver goes on beside the journal', async (...limits) => {
    await limit(...limits);
    const { lines, logger } = logged();
    const store = redisStore(clients.redis, { logger });
    await pay(store);
    expect(await deliver(store)).toEqual([200, 200]);
    expect(lines).toEqual([]);
  });

  it('is refused from the moment on at which it may, and trusted from the moment on at which it may not', async () => {
    await limit('100mb', 'noeviction');
    const { payments, sandbox } = await startShop({ store: redisStore(clients.ioredis) });
    const pay = (operationId: string) => payments.paymentIntents.create(params, { operationId });
    for (const round of ['first', 'second']) {
      await pay(round);
      await limit('100mb', 'allkeys-lru');
      await failureOf(pay(`${round} refused`), JournalError);
      await limit('100mb', 'noeviction');
    }
    expect(sandbox.requests).toHaveLength(2);
  });

  it.each(['redis', 'ioredis'] as const)(
    'leads to one warning of a receiver and a guard (%s)',
    async (name) => {
      const { lines, logger } = logged();
      const store = redisStore(clients[name], { logger });
      expect(await deliver(store)).toEqual([200, 200]);
      const guard = new VelocityGuard({ secret, store, rules: typicalVelocityRules() });
      expect((await guard.check({ ip: '192.0.2.7' })).decision).toBe('allow');
      expect(lines).toEqual([warningOf('allkeys-lru')]);
    },
  );

  it('leads to one warning if its user may not run INFO', async () => {
    await admin.acl('SETUSER', 'limited', 'on', '>password', '~*', '+@all', '-info');
    const user = { username: 'limited', password: 'password' };
    const client = new Ioredis({ path: server.path, ...user, enableReadyCheck: false });
    onTestFinished(() => client.disconnect());
    const { lines, logger } = logged();
    const store = redisStore(client, { logger });
    await pay(store);
    expect(await deliver(store)).toEqual([200, 200]);
    expect(lines).toEqual([warningOf('no answer of INFO memory')]);
  });
});
