import { connect } from 'node:net';
import { Redis as Ioredis, Cluster as IoredisCluster } from 'ioredis';
import { ConfigurationError } from 'payments-client';
import { redisStore, type Store } from 'payments-client/stores';
import { createClient, createCluster, RESP_TYPES } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedisCluster, startRedisServer } from '../support/redis-server.ts';
import { skipWithout } from '../support/skip.ts';
import { startSocketServer } from '../support/socket-server.ts';
import { openAt, takeBack } from '../support/stores.ts';
import { describeStore, type OpenStores } from './contract.ts';
import { entryOf } from './counted-attempts.ts';
import { claimOf, freshKey, long, untilExpired } from './time.ts';
import { describeVelocityClock } from './velocity-clock.ts';
import { describeVelocityTime } from './velocity-time.ts';

const { isSkipped, why } = skipWithout(hasRedis(), 'redis-server', 'test/stores/redis.services.test.ts');
const week = 7 * 24 * 60 * 60 * 1000;

const connected = async (path: string) => await createClient({ socket: { path, tls: false } }).connect();

/** Opens stores with three connections to a separate server, and optionally one with a client that resends. */
async function openStores(
  connect: (path: string) => Promise<[store: Store, end: () => unknown, resending?: Store]>,
): Promise<OpenStores> {
  const server = await startRedisServer();
  const ends: (() => unknown)[] = [];
  const close = async () => {
    for (const end of ends) end();
    await server.stop();
  };
  const open = async () => {
    const [store, end, resending] = await connect(server.path);
    ends.push(end);
    return { store, resending };
  };
  try {
    const [{ store }, { store: other }, { store: third, resending }] = [
      await open(),
      await open(),
      await open(),
    ];
    return { stores: [store, other, third], ...(resending && { resending }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The longest, since 4 MiB may take a busy machine a while. */
const timeout = 5000;

describeStore(`Redis, by the package redis${why}`, isSkipped, () =>
  openStores(async (path) => {
    const client = await connected(path);
    const resending = redisStore({
      isOpen: true,
      async eval(script: string, values: { keys: string[]; arguments: string[] }) {
        await client.eval(script, values);
        return client.eval(script, values);
      },
    });
    return [redisStore(client, { timeout }), () => client.destroy(), resending];
  }),
);

describeStore(`Redis, by the package redis with other types of replies${why}`, isSkipped, () =>
  openStores(async (path) => {
    const client = await createClient({ RESP: 2, socket: { path, tls: false } }).connect();
    const types = { [RESP_TYPES.NUMBER]: String, [RESP_TYPES.BLOB_STRING]: Buffer };
    return [redisStore(client.withTypeMapping(types), { timeout }), () => client.destroy()];
  }),
);

describeStore(`Redis, by the package ioredis${why}`, isSkipped, () =>
  openStores(async (path) => {
    const client = new Ioredis({ path, stringNumbers: true, keyPrefix: 'shop:' });
    return [redisStore(client, { prefix: '', timeout }), () => client.disconnect()];
  }),
);

const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

/** Opens a client of a separate server. */
async function ownClient() {
  const server = await startRedisServer();
  ends.push(() => server.stop());
  const client = await connected(server.path);
  ends.unshift(() => client.destroy());
  return client;
}

describeVelocityClock(`Redis${why}`, isSkipped, async () => redisStore(await ownClient()));

describeVelocityTime(`Redis${why}`, isSkipped, async () => {
  const client = await ownClient();
  let present = 0;
  const store = redisStore({
    isOpen: true,
    eval(script: string, { keys, arguments: values }: { keys: string[]; arguments: string[] }) {
      const time = `{ '${Math.floor(present / 1000)}', '${(present % 1000) * 1000}' }`;
      // The server's real clock would expire keys early.
      const timed = script.replace("redis.call('TIME')", time).replaceAll("'PEXPIRE'", "'EXISTS'");
      return client.eval(timed, { keys, arguments: values });
    },
  });
  return {
    store,
    setTime: (now) => {
      present = now;
    },
    bucketsOf: async (key) => (await client.hLen(`payments-client:{velocity}${key}`)) - 1,
  };
});

describe.skipIf(isSkipped)(`the records in Redis${why}`, () => {
  let server: RedisServer | undefined;
  let client: Awaited<ReturnType<typeof connected>>;
  beforeAll(async () => {
    server = await startRedisServer();
    client = await connected(server.path);
  });
  afterAll(async () => {
    client?.destroy();
    await server?.stop();
  });
  beforeEach(async () => {
    await client.flushDb();
  });

  /** Returns the remaining lifetime of the only record, in ms. */
  const lifetime = async () => {
    const [key = '', ...more] = await client.keys('*');
    expect(more).toEqual([]);
    return await client.pTTL(key);
  };

  it('have one key each, under the prefix', async () => {
    await redisStore(client).claim('evt_1', long);
    expect(await client.keys('*')).toEqual(['payments-client:{claims}evt_1']);
    await client.flushDb();
    expect(await redisStore(client, { prefix: 'a:' }).claim('evt_1', long)).toMatchObject({ attempt: 1 });
    expect(await redisStore(client, { prefix: 'b:' }).claim('evt_1', long)).toMatchObject({ attempt: 1 });
    expect((await client.keys('*')).sort()).toEqual(['a:{claims}evt_1', 'b:{claims}evt_1']);
  });

  it('expire in every state, and claims later than their lease', async () => {
    const store = redisStore(client);
    const { token } = claimOf(await store.claim('evt_1', long));
    // The limits are wide, because the contract fixes only the order of magnitude.
    expect(await lifetime()).toBeGreaterThan(week + long / 2);
    expect(await lifetime()).toBeLessThanOrEqual(week + long);
    await store.release('evt_1', token);
    expect(await lifetime()).toBeGreaterThan(week - long);
    expect(await lifetime()).toBeLessThanOrEqual(week);
    const again = claimOf(await store.claim('evt_1', long));
    expect(again.attempt).toBe(2);
    expect(await lifetime()).toBeGreaterThan(week + long / 2);
    await store.complete('evt_1', again.token, long);
    expect(await lifetime()).toBeGreaterThan(long / 2);
    expect(await lifetime()).toBeLessThanOrEqual(long);
  });

  it('never expire while a claim has data and is not completed', async () => {
    const store = redisStore(client);
    const record = 'payments-client:{claims}evt_1';
    const first = claimOf(await store.claim('evt_1', 1, { data: 'kept' }));
    expect((await client.keys('*')).sort()).toEqual(['payments-client:open{claims}evt_1', record]);
    await untilExpired(store);
    expect(await client.pTTL(record)).toBe(-1);
    const { token } = claimOf(await store.claim('evt_1', long));
    expect(await client.pTTL(record)).toBe(-1);
    expect(await store.release('evt_1', first.token)).toBe(false);
    await store.release('evt_1', token);
    expect(await client.pTTL(record)).toBe(-1);
    const again = claimOf(await store.claim('evt_1', long));
    await store.complete('evt_1', again.token, long);
    expect(await client.pTTL(record)).toBeGreaterThan(long / 2);
    expect(await client.pTTL(record)).toBeLessThanOrEqual(long);
  });

  it('expire after a release with a retention, until they are claimed again', async () => {
    const store = redisStore(client);
    const [record, index] = ['payments-client:{claims}evt_1', 'payments-client:open{claims}evt_1'];
    const { token } = claimOf(await store.claim('evt_1', long, { data: 'sent' }));
    await store.release('evt_1', token, { data: 'refused', retention: 2 * week });
    expect(await client.keys('*')).toEqual([record]);
    expect(await lifetime()).toBeGreaterThan(2 * week - long);
    expect(await lifetime()).toBeLessThanOrEqual(2 * week);
    const again = claimOf(await store.claim('evt_1', long));
    expect(await client.pTTL(record)).toBe(-1);
    const since = await client.hGet(record, 'since');
    expect(await client.zRange(index, 0, -1)).toEqual([`${since}evt_1`]);
    await store.release('evt_1', again.token, { retention: 1 });
    await untilExpired(store);
    expect(await client.exists([record, index])).toBe(0);
  });

  it('never expire after a release with data', async () => {
    const store = redisStore(client);
    const { token } = claimOf(await store.claim('evt_1', long));
    await store.release('evt_1', token, { data: 'late' });
    expect(await client.pTTL('payments-client:{claims}evt_1')).toBe(-1);
  });

  it('of snapshots have one key each, which never expires', async () => {
    await redisStore(client).advance('a', 1e15, 'data');
    expect(await client.keys('*')).toEqual(['payments-client:snapshot:a']);
    expect(await client.hGetAll('payments-client:snapshot:a')).toEqual({
      version: '1000000000000000',
      data: 'data',
    });
    expect(await lifetime()).toBe(-1);
  });

  it('are omitted from a page if they were evicted, and others fill it', async () => {
    const store = redisStore(client);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await store.claim(`of/${name}`, long, { data: name });
    await client.del(['payments-client:{claims}of/a', 'payments-client:{claims}of/c']);
    const open = async (limit: number) => {
      const { claims, count } = await store.open({ space: 'of', limit });
      return { names: claims.map(({ data }) => data), count };
    };
    // The page found one of the two, and the next call the other.
    expect(await open(1)).toEqual({ names: ['b'], count: 5 });
    expect(await open(2)).toEqual({ names: ['b', 'd'], count: 4 });
    expect(await open(3)).toEqual({ names: ['b', 'd', 'e'], count: 4 });
    expect(await open(10)).toEqual({ names: ['b', 'd', 'e', 'f'], count: 4 });
  });

  it('are listed once if they were evicted and claimed again', async () => {
    const store = redisStore(client);
    await store.claim('of/a', long, { data: 'evicted' });
    await client.del('payments-client:{claims}of/a');
    await untilExpired(store);
    await store.claim('of/a', long, { data: 'again' });
    expect(await store.open({ space: 'of', limit: 10 })).toMatchObject({
      claims: [{ data: 'again' }],
      count: 1,
    });
  });

  it('of attempts expire after their window, and are gone with the last attempt', async () => {
    const store = redisStore(client);
    const key = 'rule:hash:';
    await store.check('1', [entryOf(key, 5n, { windowMs: long })]);
    const keys = ['payments-client:attempt{velocity}1', `payments-client:{velocity}${key}`];
    expect((await client.keys('*')).sort()).toEqual(keys);
    for (const each of keys) {
      expect(await client.pTTL(each)).toBeGreaterThan(long);
      expect(await client.pTTL(each)).toBeLessThanOrEqual(long + long / 60);
    }
    await store.check('1', [entryOf('short', 5n, { windowMs: 1000 })]);
    expect(await client.pTTL(keys[0] ?? '')).toBeGreaterThan(long);
    await takeBack(store, '1', [key, 'short']);
    expect(await client.keys('*')).toEqual([]);
  });

  it('are extended by a longer completion, and never shortened', async () => {
    const store = redisStore(client);
    const { token } = claimOf(await store.claim('evt_1', long));
    await store.complete('evt_1', token, long);
    expect(await store.complete('evt_1', token, 3 * long)).toBe(true);
    expect(await lifetime()).toBeGreaterThan(2 * long);
    expect(await store.complete('evt_1', token, long)).toBe(true);
    expect(await lifetime()).toBeGreaterThan(2 * long);
  });

  it('work up to the accepted maximum', async () => {
    const store = redisStore(client);
    const century = 3_155_760_000_000;
    const { token } = claimOf(await store.claim('evt_1', century));
    const held = await store.claim('evt_1', 1);
    if (held.status !== 'in_progress') throw new Error(`expected in_progress, got ${held.status}`);
    expect(held.retryAfter).toBeGreaterThan(century - long);
    expect(await store.complete('evt_1', token, century)).toBe(true);
    expect(await lifetime()).toBeGreaterThan(century - long);
  });

  it('do not depend on the clock of the process', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const store = redisStore(client);
    await store.claim('evt_1', long);
    vi.setSystemTime(new Date('2100-01-01'));
    expect(await store.claim('evt_1', long)).toMatchObject({ status: 'in_progress' });
  });

  it('do not overwrite a value of another type', async () => {
    await client.set('payments-client:{claims}evt_1', 'of somebody else');
    await expect(redisStore(client).claim('evt_1', long)).rejects.toThrow(/WRONGTYPE/);
    expect(await client.get('payments-client:{claims}evt_1')).toBe('of somebody else');
  });

  it('are not read from the reply of an open transaction', async () => {
    const other = new Ioredis(server?.path ?? '');
    onTestFinished(() => other.disconnect());
    await other.multi({ pipeline: false });
    await expect(redisStore(other, { logger: {} }).claim('evt_1', long)).rejects.toThrow(
      "redisStore.client: expected the answer of the script, got 'QUEUED'.",
    );
    await other.discard();
    expect(await redisStore(client).claim('evt_1', long)).toMatchObject({ attempt: 1 });
  });

  it('are claimed again after Redis lost its scripts', async () => {
    const store = redisStore(client);
    await store.claim('evt_1', long);
    await client.scriptFlush();
    expect(await store.claim('evt_1', long)).toMatchObject({ status: 'in_progress' });
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
    const store = redisStore(ioredis, { allowEviction: true });
    expect(await store.claim('evt_1', long)).toMatchObject({ status: 'claimed', attempt: 1 });
    expect(evals).toBe(2);
  });

  it('pass through errors of the client', async () => {
    const closed = await connected(server?.path ?? '');
    closed.destroy();
    await expect(redisStore(closed, { logger: {} }).claim('evt_1', long)).rejects.toThrow(/closed/i);
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
    for (const key of [freshKey(), freshKey(), '{a}b}{c', '{}']) {
      const { token } = claimOf(await store.claim(key, long));
      expect(await store.complete(key, token, long)).toBe(true);
      expect(await store.claim(key, long)).toEqual({ status: 'completed' });
      await store.claim(`${key} open`, long, { data: key });
      expect(await openAt(store, `${key} open`)).toMatchObject([{ data: key }]);
      expect(await store.open({ space: `${key} open`, limit: 1 })).toMatchObject({ count: 1 });
      const entries = [entryOf(key, 5n), entryOf(`${key} too`)];
      expect(await store.check(key, entries)).toMatchObject([{ total: 5n }, { total: 1n }]);
      await takeBack(store, key, [key]);
      expect(await store.advance(key, 1, key)).toEqual({ version: 1, data: key });
      expect(await store.check('2', entries)).toMatchObject([{ total: 5n }, { total: 2n }]);
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

  it('is served by the package ioredis', async () => {
    const cluster = new IoredisCluster([{ host: '127.0.0.1', port: server?.port ?? 0 }]);
    onTestFinished(() => cluster.disconnect());
    await handleAll((logger) => redisStore(cluster, { prefix: 'ioredis:', logger }));
    await handleAll((logger) => redisStore(cluster, { prefix: '{tag of its own}:', logger }));
  });
});

describe('redisStore reads', () => {
  it('data as bytes unchanged, with its byte order mark', async () => {
    const data = '\ufeffSão Paulo 🍵';
    const client = { isOpen: true, eval: async () => ['3', 0, Buffer.from(data)] };
    const store = redisStore(client, { allowEviction: true });
    expect(await store.claim('evt_1', long)).toEqual({ status: 'completed', data });
  });
});

describe('redisStore refuses', () => {
  it('invalid replies', async () => {
    const storeReplying = (reply: unknown) =>
      redisStore({ isOpen: true, eval: async () => reply }, { allowEviction: true });
    for (const reply of [undefined, null, 'OK', [], [4, 1], ['claimed', 1], [1, Number.NaN]]) {
      await expect(storeReplying(reply).claim('evt_1', long)).rejects.toThrow(ConfigurationError);
    }
    for (const reply of [undefined, null, 'OK', []]) {
      await expect(storeReplying(reply).complete('evt_1', 'token', long)).rejects.toThrow(ConfigurationError);
    }
    for (const reply of [undefined, 'QUEUED', [[]], [['a', null, 1, 0, 0]], [['a', 'data', 'x', 0, 0]]]) {
      await expect(storeReplying(reply).open({ space: '', limit: 1 })).rejects.toThrow(ConfigurationError);
      await expect(storeReplying(reply).check('1', [entryOf('a')])).rejects.toThrow(ConfigurationError);
    }
    for (const reply of [undefined, 'QUEUED', [1], ['x', 'data']]) {
      await expect(storeReplying(reply).advance('a', 1, 'data')).rejects.toThrow(ConfigurationError);
    }
  });
});
