/** Documents of processes that change the same ones, and of processes that die. */

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type StoreAddress } from '../engine/processes/stores.ts';
import { hasPostgres, startPostgresServer } from '../support/postgres-server.ts';
import { forkScript } from '../support/programs.ts';
import { hasRedis, startRedisServer } from '../support/redis-server.ts';
import { skipWithout } from '../support/skip.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import type { SavingTask } from './saving-process.ts';
import { freshKey } from './time.ts';

const file = 'test/stores/store.services.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL', file);

const ends: (() => Promise<unknown>)[] = [];
const addresses: Partial<Record<StoreAddress['kind'], StoreAddress>> = {};
beforeAll(async () => {
  if (!redis.isSkipped) {
    const server = await startRedisServer();
    ends.push(() => server.stop());
    addresses.redis = { kind: 'redis', path: server.path };
  }
  if (postgres.isSkipped) return;
  const server = await startPostgresServer();
  ends.push(() => server.stop());
  addresses.postgres = { kind: 'postgres', connection: server.connection };
}, 60_000);
afterAll(() => Promise.all(ends.map((end) => end())));

const addressOf = async (kind: StoreAddress['kind']): Promise<StoreAddress> =>
  addresses[kind] ?? { kind: 'sqlite', path: await temporaryFile() };

const start = (task: SavingTask) => forkScript(new URL('./saving-process.ts', import.meta.url), task);

const kinds = [
  { kind: 'sqlite', isSkipped: false },
  { kind: 'redis', isSkipped: redis.isSkipped },
  { kind: 'postgres', isSkipped: postgres.isSkipped },
] as const;

describe.each(kinds)('the documents of $kind', ({ kind, isSkipped }) => {
  it.skipIf(isSkipped)('count each save of three processes once', async () => {
    const [address, key] = [await addressOf(kind), freshKey()];
    const { store, close } = await openStore(address);
    const [slots, times] = [[0, 1, 2], 40];
    const children = slots.map((slot) => start({ address, slot, key, times }));
    for (const [code] of await Promise.all(children.map((child) => once(child, 'exit'))))
      expect(code).toBe(0);
    const all = slots.length * times;
    expect(await store.load(key)).toEqual({ version: all, data: String(all) });
    expect(await store.due({ space: key, until: all, limit: 9 })).toEqual([{ key, wakeAt: all }]);
    for (let count = 1; count <= all; count += 1) {
      const found = await Promise.all(slots.map((slot) => store.lookUp(`${key} ${count} by ${slot}`)));
      expect(found.filter((owner) => owner === key)).toHaveLength(1);
    }
    await close();
  });

  it.skipIf(isSkipped || kind === 'redis')(
    'have nothing of a process that died before its commit',
    async () => {
      const [address, key] = [await addressOf(kind), freshKey()];
      const { store, close } = await openStore(address);
      const [, signal] = await once(start({ address, slot: 0, key }), 'exit');
      expect(signal).toBe('SIGKILL');
      expect([await store.load(key), await store.lookUp(`${key} died`)]).toEqual([undefined, undefined]);
      expect(await store.due({ space: key, until: 9, limit: 9 })).toEqual([]);
      expect(await store.save(key, 0, 'next', { references: [`${key} died`], wakeAt: null })).toBe(true);
      await close();
    },
  );
});
