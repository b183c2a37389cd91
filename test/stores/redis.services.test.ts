import { connect } from 'node:net';
import { Redis as Ioredis, Cluster as IoredisCluster } from 'ioredis';
import { redisStore, type Store } from 'payments-client/stores';
import { createClient, createCluster, RESP_TYPES } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedisCluster, startRedisServer } from '../support/redis-server.ts';
import { skipWithout } from '../support/skip.ts';
import { startSocketServer } from '../support/socket-server.ts';
import { openAt, takeBack } from '../support/stores.ts';
import { entryOf } from './attempts.ts';
import { describeStore, type OpenStores } from './contract.ts';
import { linesOf, take } from './histories.ts';
import { day, freshKey, handle, long } from './time.ts';

const { isSkipped, why } = skipWithout(hasRedis(), 'redis-server', 'test/stores/redis.services.test.ts');

/** The longest, since 4 MiB may take a busy machine a while. */
const timeout = 5000;
/** Real time passes too, which ends keys of the server: far less than this. */
const unit = 1_800_000;

const connected = async (path: string) => await createClient({ socket: { path, tls: false } }).connect();

/** A script that reads the time of the test. The real clock would end counts that the test's clock still has. */
function timed(script: string): string {
  const ofTest = script.replace("redis.call('TIME')", "redis.call('HMGET', 'test-clock', 's', 'us')");
  return script.includes('HINCRBY') ? ofTest.replaceAll("'PEXPIRE'", "'EXISTS'") : ofTest;
}

/** Sets the time of the test, and moves the expiry of all claims with it. */
const setTimeScript = `
local passes = tonumber(ARGV[2]) - (redis.call('HGET', 'test-clock', 'ms') or ARGV[2])
redis.call('HSET', 'test-clock', 'ms', ARGV[2], 's', ARGV[1], 'us', ARGV[3])
for _, key in ipairs(redis.call('KEYS', '*{claims}*')) do
  local rest = redis.call('PTTL', key)
  if rest >= 0 and rest <= passes then redis.call('DEL', key) end
  if rest > passes then redis.call('PEXPIRE', key, string.format('%.0f', rest - passes)) end
end`;

interface Values {
  keys: string[];
  arguments: string[];
}

interface NodeRedis {
  eval(script: string, values: Values): Promise<unknown>;
}

const ofNodeRedis = (client: NodeRedis, times = 1, prefix = 'payments-client:') =>
  redisStore(
    {
      isOpen: true,
      async eval(script: string, values: Values) {
        for (let time = 1; time < times; time += 1) await client.eval(timed(script), values);
        return client.eval(timed(script), values);
      },
    },
    { prefix, timeout },
  );

interface Connected {
  readonly store: Store;
  readonly resending?: Store;
  end(): unknown;
}

/** Opens stores with three connections to a server of their own. */
async function openStores(connect: (path: string) => Promise<Connected>): Promise<OpenStores> {
  const server = await startRedisServer();
  const [one, other, third] = [
    await connect(server.path),
    await connect(server.path),
    await connect(server.path),
  ];
  const admin = new Ioredis(server.path);
  return {
    stores: [one.store, other.store, third.store],
    ...(one.resending && { resending: one.resending }),
    unit,
    isServer: true,
    setTime: (now) => admin.eval(setTimeScript, 0, Math.floor(now / 1000), now, (now % 1000) * 1000),
    // Its name ends with the key, after any prefix.
    kept: async (key) => (await admin.keys(`*{claims}${key}`)).some((name) => !name.includes('open{claims}')),
    bucketsOf: async (key) => {
      const [found = ''] = await admin.keys(`*{velocity}${key}`);
      return (await admin.hlen(found)) - 1;
    },
    close: async () => {
      for (const { end } of [one, other, third]) end();
      admin.disconnect();
      await server.stop();
    },
  };
}

describeStore(`Redis, by the package redis${why}`, isSkipped, () =>
  openStores(async (path) => {
    const client = await connected(path);
    return { store: ofNodeRedis(client), resending: ofNodeRedis(client, 2), end: () => client.destroy() };
  }),
);

describeStore(`Redis, by the package redis with other types of replies${why}`, isSkipped, () =>
  openStores(async (path) => {
    const client = await createClient({ RESP: 2, socket: { path, tls: false } }).connect();
    const types = { [RESP_TYPES.NUMBER]: String, [RESP_TYPES.BLOB_STRING]: Buffer };
    return { store: ofNodeRedis(client.withTypeMapping(types)), end: () => client.destroy() };
  }),
);

describeStore(`Redis, by the package ioredis${why}`, isSkipped, () =>
  openStores(async (path) => {
    const client = new Ioredis({ path, stringNumbers: true, keyPrefix: 'shop:' });
    const timedClient = {
      status: client.status,
      eval: (script: string, keys: number, ...values: string[]) =>
        client.eval(timed(script), keys, ...values),
    };
    return { store: redisStore(timedClient, { prefix: '', timeout }), end: () => client.disconnect() };
  }),
);

describe.skipIf(isSkipped)(`the records in Redis${why}`, () => {
  let server: RedisServer | undefined;
  let client: Awaited<ReturnType<typeof connected>>;
  let store: Store;
  beforeAll(async () => {
    server = await startRedisServer();
    client = await connected(server.path);
    store = redisStore(client);
  });
  afterAll(async () => {
    client?.destroy();
    await server?.stop();
  });
  beforeEach(async () => {
    await client.flushDb();
  });

  const [record, index] = ['payments-client:{claims}of/a', 'payments-client:open{claims}of'];
  const keys = async () => (await client.keys('*')).sort();
  /** Checks that a key lives as long in ms, less the time that the test has taken. */
  const expectLifetime = async (key: string, ms: number) => {
    const rest = await client.pTTL(key);
    expect(rest > ms - unit && rest <= ms, `${rest} of ${ms} ms`).toBe(true);
  };

  it('have one key each, under the prefix', async () => {
    await store.claim('of/a', long);
    expect(await keys()).toEqual([record]);
    await redisStore(client, { prefix: 'b:' }).claim('of/a', long, { data: '' });
    expect(await keys()).toEqual(['b:open{claims}of', 'b:{claims}of/a', record]);
  });

  it.each([
    ['a claims 3 "x": claimed 1 "x"; a releases: yes', true],
    ['a claims 3: claimed 1; a renews 3 "late": yes', true],
    ['a claims 3: claimed 1', false],
    ['a claims 3 "x": claimed 1 "x"; a releases 9: yes', false],
    ['a claims 3 "x": claimed 1 "x"; a completes 9: yes', false],
  ])('are in the index of their space while they are open: %s', async (history, isListed) => {
    for (const line of linesOf(history)) {
      if (line === 'purge' || !('step' in line)) throw new Error('expected a call');
      expect(await take(store, 'of/a', line.step, unit)).toBe(line.answer);
    }
    expect(await keys()).toEqual(isListed ? [index, record] : [record]);
    const since = await client.hGet(record, 'since');
    expect(await client.zRange(index, 0, -1)).toEqual(isListed ? [`${since}of/a`] : []);
  });

  it('of snapshots have one key each, which never expires', async () => {
    await store.advance('a', 1e15, 'data');
    expect(await keys()).toEqual(['payments-client:snapshot:a']);
    const snapshot = { version: '1000000000000000', data: 'data' };
    expect(await client.hGetAll('payments-client:snapshot:a')).toEqual(snapshot);
    expect(await client.pTTL('payments-client:snapshot:a')).toBe(-1);
  });

  it('of attempts expire after the longest window and one bucket, and are gone with the last attempt', async () => {
    const windowMs = 60 * unit;
    await store.check('1', [entryOf('a', 5n, { windowMs })]);
    const [attempt, counts] = ['payments-client:attempt{velocity}1', 'payments-client:{velocity}a'];
    expect(await keys()).toEqual([attempt, counts]);
    for (const key of [attempt, counts]) await expectLifetime(key, windowMs + unit);
    await store.check('1', [entryOf('short', 5n, { windowMs: day / 2 })]);
    await expectLifetime(attempt, windowMs + unit);
    await takeBack(store, '1', ['a', 'short']);
    expect(await keys()).toEqual([]);
  });

  it('are omitted from a page if they were evicted, and others fill it', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await store.claim(`of/${name}`, long, { data: name });
    await client.del(['payments-client:{claims}of/a', 'payments-client:{claims}of/c']);
    const open = async (limit: number) => {
      const { claims, count } = await store.open({ space: 'of', limit, counts: true });
      return `${claims.map(({ data }) => data)} of ${count}`;
    };
    // The first page finds one of the two, and the next the other.
    expect([await open(1), await open(2), await open(3), await open(10)]).toEqual([
      'b of 5',
      'b,d of 4',
      'b,d,e of 4',
      'b,d,e,f of 4',
    ]);
  });

  it('are listed once if they were evicted and claimed again', async () => {
    await store.claim('of/a', long, { data: 'evicted' });
    await client.del(record);
    // As if the first claim had been earlier.
    await client.zAdd(index, { score: 0, value: '1000000000000of/a' });
    await store.claim('of/a', long, { data: 'again' });
    expect(await store.open({ space: 'of', limit: 10 })).toMatchObject({ claims: [{ data: 'again' }] });
  });

  it('do not overwrite a value of another type', async () => {
    await client.set(record, 'of somebody else');
    await expect(store.claim('of/a', long)).rejects.toThrow(/WRONGTYPE/);
    expect(await client.get(record)).toBe('of somebody else');
  });

  it('are not read from the reply of an open transaction', async () => {
    const other = new Ioredis(server?.path ?? '');
    onTestFinished(() => other.disconnect());
    await other.multi({ pipeline: false });
    await expect(redisStore(other, { logger: {} }).claim('of/a', long)).rejects.toThrow(/got 'QUEUED'/);
    await other.discard();
    expect(await store.claim('of/a', long)).toMatchObject({ attempt: 1 });
  });

  it('outlive the scripts of the server', async () => {
    await store.claim('of/a', long);
    await client.scriptFlush();
    expect(await store.claim('of/a', long)).toMatchObject({ status: 'in_progress' });
  });

  it('are claimed once by ioredis, which resends a claim after a broken connection', async () => {
    let evals = 0;
    const { port } = await startSocketServer((socket) => {
      const redis = connect(server?.path ?? '');
      redis.on('error', () => {});
      let isAsked = false;
      socket.on('data', (chunk) => {
        isAsked = chunk.includes('eval');
        if (isAsked) evals += 1;
        redis.write(chunk);
      });
      redis.on('data', (chunk) => {
        if (isAsked && evals === 1) socket.destroy();
        else socket.write(chunk);
      });
      socket.on('close', () => redis.destroy());
    });
    const ioredis = new Ioredis(port, '127.0.0.1', { retryStrategy: () => 1 });
    ioredis.on('error', () => {});
    onTestFinished(() => ioredis.disconnect());
    const resent = redisStore(ioredis, { allowEviction: true, timeout });
    expect(await resent.claim('of/a', long)).toMatchObject({ status: 'claimed', attempt: 1 });
    expect(evals).toBe(2);
  });

  it('pass through errors of the client', async () => {
    const closed = await connected(server?.path ?? '');
    closed.destroy();
    await expect(redisStore(closed, { logger: {} }).claim('of/a', long)).rejects.toThrow(/closed/i);
  });
});

describe.skipIf(isSkipped)(`a cluster of Redis${why}`, () => {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    server = await startRedisCluster();
    const client = new Ioredis(server.port, '127.0.0.1');
    await client.cluster('ADDSLOTSRANGE', 0, 16_383);
    while (!(await client.cluster('INFO')).toString().includes('cluster_state:ok'));
    client.disconnect();
  });
  afterAll(() => server?.stop());

  const handleAll = async (open: (logger: object) => Store) => {
    const warn = vi.fn();
    const store = open({ warn });
    for (const key of [freshKey(), '{a}b}{c', '{}']) {
      await handle(store, key, long);
      expect(await store.claim(key, long)).toEqual({ status: 'completed' });
      await store.claim(`${key} open`, long, { data: key });
      expect(await openAt(store, `${key} open`)).toMatchObject([{ data: key }]);
      expect(await store.open({ space: `${key} open`, limit: 1, counts: true })).toMatchObject({ count: 1 });
      const entries = [entryOf(key, 5n), entryOf(`${key} too`)];
      expect(await store.check(key, entries)).toMatchObject([{ total: 5n }, { total: 1n }]);
      await takeBack(store, key, [key]);
      expect(await store.check('2', entries)).toMatchObject([{ total: 5n }, { total: 2n }]);
      expect((await store.advance(key, 1, key)).current).toEqual({ version: 1, data: key });
      const references = [key, `${key} too`];
      expect(await store.save(key, 0, key, { references, wakeAt: 1 })).toBe(true);
      expect([await store.load(key), await store.lookUp(`${key} too`)]).toEqual([
        { version: 1, data: key },
        key,
      ]);
      expect(await store.due({ space: key, until: 1, limit: 1 })).toEqual([{ key, wakeAt: 1 }]);
    }
    // It could ask the node about eviction.
    expect(warn).not.toHaveBeenCalled();
  };

  it('is served by the package redis', async () => {
    const cluster = createCluster({ rootNodes: [{ url: `redis://127.0.0.1:${server?.port}` }] });
    onTestFinished(() => cluster.destroy());
    await cluster.connect();
    await handleAll((logger) => redisStore(cluster, { prefix: 'redis:', logger }));
  });

  it('is served by the package ioredis, also with a tag in the prefix', async () => {
    const cluster = new IoredisCluster([{ host: '127.0.0.1', port: server?.port ?? 0 }]);
    onTestFinished(() => cluster.disconnect());
    await handleAll((logger) => redisStore(cluster, { prefix: 'ioredis:', logger }));
    await handleAll((logger) => redisStore(cluster, { prefix: '{tag of its own}:', logger }));
  });
});
