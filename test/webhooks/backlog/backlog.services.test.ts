/**
 * Many jobs wait in an engine, and the endpoint still takes each delivery. A worker that starts later handles each event once, also
 * those whose handler fails at first.
 */

import { memoryStore } from 'payments-client/stores';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { engines, openPool, openQueue } from '../../support/queues.ts';
import { hasRedis, type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { bySize } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres() && hasRedis(),
  'PostgreSQL and Redis',
  'test/webhooks/backlog/backlog.services.test.ts',
);

const backlog = bySize({ short: 300, all: 2_000, long: 100_000 });
const deliveries = bySize({ short: 60, all: 200, long: 3_000 });
const inFlight = 8;

const event = (id: number) => eventOf('refund.failed', { id: `evt_${id}` });

let postgres: PostgresServer;
let redis: RedisServer;

describe.skipIf(isSkipped)(`before ${backlog} waiting jobs${why}`, () => {
  beforeAll(async () => {
    postgres = await startPostgresServer({ isDurable: true });
    redis = await startRedisServer({ isDurable: true });
  });

  afterAll(async () => {
    await redis?.stop();
    await postgres?.stop();
  });

  /** Opens a queue in a database of its own, since an engine keeps the jobs of all its queues in one table. */
  async function openIn(engine: (typeof engines)[number]) {
    const pool = openPool(postgres.connection, 1);
    await pool.query(`CREATE DATABASE "${engine}"`);
    await pool.end();
    const place = { redis: redis.path, postgres: { ...postgres.connection, database: engine } };
    const queue = await openQueue(engine, place, 'webhooks');
    onTestFinished(async () => void (await queue.close()));
    return queue;
  }

  it.each(engines)(
    'an endpoint takes each delivery, and a worker handles each event once (%s)',
    { timeout: 1_800_000 },
    async (engine) => {
      const queue = await openIn(engine);
      const receivedAt = new Date().toISOString();
      for (let first = 0; first < backlog; first += 2_000) {
        const length = Math.min(2_000, backlog - first);
        const bodies = Array.from({ length }, (_, index) => JSON.stringify(event(first + index)));
        await queue.addAll(bodies.map((body) => ({ body, receivedAt })));
      }
      expect(await queue.unended()).toBe(backlog);

      const calls = new Map<string, number>();
      const failed = new Set<string>();
      const receiver = webhooksAt().receiver({
        store: memoryStore({ maxEntries: 1_000_000 }),
        enqueue: queue.add,
        onEvent: ({ id }) => {
          if (id.endsWith('7') && !failed.has(id)) {
            failed.add(id);
            throw new Error('no stock');
          }
          calls.set(id, (calls.get(id) ?? 0) + 1);
        },
        onError: () => {},
      });
      let next = backlog;
      const lane = async () => {
        while (next < backlog + deliveries) {
          next += 1;
          const { outcome } = await receiver.handle(await delivery(event(next - 1)));
          expect(outcome).toBe('enqueued');
        }
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
      expect([await queue.unended(), calls.size]).toEqual([backlog + deliveries, 0]);

      await queue.work((job) => receiver.dispatch(job));
      const isDrained = async () => expect(await queue.unended()).toBe(0);
      await vi.waitFor(isDrained, { interval: 100, timeout: 1_700_000 });
      expect(calls.size).toBe(backlog + deliveries);
      expect(new Set(calls.values())).toEqual(new Set([1]));
      expect(failed.size).toBeGreaterThan(0);
    },
  );
});
