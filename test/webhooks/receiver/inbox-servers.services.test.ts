/**
 * The inbox on real servers: workers of several connections share the queue, continue past dead letters, and never
 * handle an event twice.
 */

import { Redis } from 'ioredis';
import { postgresStore, redisStore, type Store } from 'payments-client/stores';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { skipWithout } from '../../support/skip.ts';

const file = 'test/webhooks/receiver/inbox-servers.services.test.ts';
const postgres = skipWithout(hasPostgres(), 'PostgreSQL', file);
const redis = skipWithout(hasRedis(), 'Redis', file);

/** Opens a store with its own connection. */
type Open = () => Promise<Store<never>>;

async function onPostgres(): Promise<Open> {
  const server = await startPostgresServer();
  onTestFinished(() => server.stop());
  return async () => {
    const pool = new pg.Pool(server.connection);
    onTestFinished(() => pool.end());
    const store = postgresStore(pool);
    await store.migrate();
    return store;
  };
}

async function onRedis(): Promise<Open> {
  const server = await startRedisServer();
  onTestFinished(() => server.stop());
  return async () => {
    const client = new Redis(server.path);
    onTestFinished(() => client.disconnect());
    return redisStore(client);
  };
}

const idOf = (number: number) => `evt_${String(number).padStart(4, '0')}`;

/** Returns the events of 200 that three workers handle; every fourth fails permanently. */
async function handleAll(open: Open) {
  const handled: string[] = [];
  const failures: string[] = [];
  const receiverOf = async () =>
    webhooksAt().receiver({
      store: await open(),
      inbox: 'defer',
      maxAttempts: 1,
      on: {
        'refund.failed': async ({ id }) => {
          if (Number(id.slice(4)) % 4 === 0) throw new Error('no');
          handled.push(id);
        },
      },
      onError: ({ event }) => failures.push(event?.id ?? 'none'),
    });
  const receivers = [await receiverOf(), await receiverOf(), await receiverOf()];
  const events = Array.from({ length: 200 }, (_, index) => eventOf('refund.failed', { id: idOf(index) }));
  for (const event of events) await receivers[0]?.handle(await delivery(event));
  const stop = new AbortController();
  const work = receivers.map(({ inbox }) => inbox.work({ signal: stop.signal, pollInterval: 5 }));
  await vi.waitFor(() => expect(handled.length + failures.length).toBeGreaterThanOrEqual(200), 30_000);
  // These events come after the dead letters of the whole first round.
  for (const number of [1000, 1001]) {
    await receivers[1]?.handle(await delivery(eventOf('refund.failed', { id: idOf(number) })));
  }
  await vi.waitFor(() => expect(handled).toContain(idOf(1001)), 30_000);
  stop.abort();
  await Promise.all(work);
  const dead: string[] = [];
  for (const receiver of receivers.slice(0, 1)) {
    for await (const { event, isDead } of receiver.inbox.entries())
      if (isDead) dead.push(event?.id ?? 'none');
  }
  return { handled: handled.toSorted(), failures: failures.toSorted(), dead };
}

const expectedOf = (isFailing: boolean) =>
  [...Array(200).keys(), 1000, 1001].filter((number) => (number % 4 === 0) === isFailing).map(idOf);

describe.each([
  ['PostgreSQL', postgres, onPostgres],
  ['Redis', redis, onRedis],
])('an inbox on %s', (_name, { isSkipped }, start) => {
  it.skipIf(isSkipped)(
    'is handled once by three workers, past dead letters',
    async () => {
      const { handled, failures, dead } = await handleAll(await start());
      expect(handled).toEqual(expectedOf(false));
      expect(failures).toEqual(expectedOf(true));
      expect(dead).toEqual(expectedOf(true));
    },
    120_000,
  );
});
