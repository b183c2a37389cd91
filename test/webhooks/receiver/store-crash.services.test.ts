/**
 * A store crashes, stalls or has no connection left while events are handled: each delivery is answered, the process survives, and
 * each event is handled.
 */

import { Redis as Ioredis } from 'ioredis';
import { redisStore } from 'payments-client/stores';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { inlineBackend, openPool, pooledBackend } from './backends.ts';
import { modes, openShop, type ShopOptions } from './modes.ts';
import { untilHandled, waiting } from './suite-of-modes.ts';

const file = 'test/webhooks/receiver/store-crash.services.test.ts';
const failed = eventOf('refund.failed');
/** Of each operation of the store, in ms: a test only waits for it when the store is away. */
const timeout = 1000;
/** Short, because a claim that survives a crash blocks its event until its lease ends. */
const options = { lease: 2000 };
const log = () => {};

/** Strikes while a handler runs, and checks that its event is handled once the store is back. */
async function surviveCrash<Client>(
  shop: Omit<ShopOptions<Client>, 'handler' | 'arrival'>,
  server: { crash(): Promise<void>; restart(): Promise<void> },
) {
  const { handler, reached, end } = waiting();
  let calls = 0;
  const { deliver } = openShop({
    ...shop,
    arrival: 'request',
    handler: (work) => {
      calls += 1;
      return calls === 1 ? handler(work) : work.add();
    },
  });
  const first = deliver(failed);
  await reached;
  await server.crash();
  end();
  expect(await first).toBe('failed');
  expect(await deliver(failed)).toBe('failed');
  await server.restart();
  const last = await untilHandled(deliver);
  expect(await deliver(failed)).toBe('duplicate');
  return { last, calls };
}

const redis = skipWithout(hasRedis(), 'redis-server', file);

describe.skipIf(redis.isSkipped)(`Redis${redis.why}`, () => {
  async function start(kind: 'redis' | 'ioredis', isDurable: boolean) {
    const server = await startRedisServer({ isDurable });
    onTestFinished(() => server.stop());
    const node = createClient({ socket: { path: server.path, tls: false } }).on('error', log);
    await node.connect();
    const io = new Ioredis({ path: server.path }).on('error', log);
    onTestFinished(() => {
      node.destroy();
      io.disconnect();
    });
    const backend = inlineBackend(redisStore(kind === 'redis' ? node : io, { timeout }));
    return { server, backend };
  }

  it.each([
    ['redis', true],
    ['redis', false],
    ['ioredis', true],
    ['ioredis', false],
  ] as const)(
    'that crashes while a handler runs does not lose its event (%s, durable: %s)',
    async (kind, isDurable) => {
      const { server, backend } = await start(kind, isDurable);
      const { last, calls } = await surviveCrash({ mode: 'inline', backend, options }, server);
      // If the record survived, a client may still send the end of the first handler.
      expect(['handled 2', 'duplicate 1']).toContain(`${last} ${calls}`);
      if (!isDurable) expect(last).toBe('handled');
    },
  );

  it.each(['redis', 'ioredis'] as const)('that stalls hangs no request (%s)', async (kind) => {
    const { server, backend } = await start(kind, false);
    const { deliver, failures } = openShop({
      mode: 'inline',
      arrival: 'request',
      backend,
      handler: (work) => work.add(),
      options,
    });
    server.pause();
    expect(await deliver(failed)).toBe('failed');
    expect(failures).toMatchObject([{ error: { code: 'STORE_TIMEOUT', outcome: 'not_an_operation' } }]);
    server.resume();
    expect(await untilHandled(deliver)).toBe('handled');
    expect(await backend.effects()).toEqual(['evt_1']);
    expect(await deliver(failed)).toBe('duplicate');
  });
});

const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describe.skipIf(postgres.isSkipped)(`PostgreSQL${postgres.why}`, () => {
  async function start() {
    const server = await startPostgresServer({ isDurable: true });
    onTestFinished(() => server.stop());
    const pool = openPool(server.connection, 2);
    onTestFinished(() => pool.end());
    return { server, pool, backend: await pooledBackend(pool, { timeout }) };
  }

  it.each(modes)('that crashes while a handler runs does not lose its event (%s)', async (mode) => {
    const { server, backend } = await start();
    expect((await surviveCrash({ mode, backend, options }, server)).last).toBe('handled');
    // Inline, the effect was there before the crash.
    expect(await backend.effects()).toHaveLength(mode === 'inline' ? 2 : 1);
  });

  it.each(modes)(
    'whose pool is exhausted leads to a 503, and the event is handled later (%s)',
    async (mode) => {
      const { pool, backend } = await start();
      const { receiver, deliver } = openShop({
        mode,
        arrival: 'request',
        backend,
        handler: (work) => work.add(),
        options,
      });
      const others = await Promise.all([pool.connect(), pool.connect()]);
      const { status, headers } = await receiver.handle(await delivery(failed, webhooksAt()));
      expect([status, headers['retry-after']]).toEqual([503, '3']);
      for (const other of others) other.release();
      expect(await untilHandled(deliver)).toBe('handled');
      expect(await backend.effects()).toEqual(['evt_1']);
      expect(await deliver(failed)).toBe('duplicate');
      expect([pool.idleCount, pool.waitingCount]).toEqual([pool.totalCount, 0]);
    },
  );
});
