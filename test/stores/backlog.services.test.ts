/** A backlog of 100,000 failed deliveries: what a store reads for a page of it, counted by its database. */

import { DatabaseSync } from 'node:sqlite';
import {
  memoryStore,
  type PostgresClient,
  postgresStore,
  redisStore,
  type Store,
  sqliteStore,
} from 'payments-client/stores';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../support/deliveries.ts';
import { hasRedis, startRedisServer } from '../support/redis-server.ts';
import { skipWithout } from '../support/skip.ts';
import { usePostgres } from './postgres/database.ts';
import { long } from './time.ts';

const postgres = usePostgres('backlog');
const redis = skipWithout(hasRedis(), 'redis-server', 'test/stores/backlog.services.test.ts');

/** The deliveries of a page of `failed`. */
const pageSize = 100;
const size = 100_000;

/** A store whose database counts what it reads. */
interface CountedStore {
  readonly store: Store;
  /** Adds copies of the only claim, each with another key. */
  copy(count: number): Promise<unknown>;
  /** Returns how many rows or records are read meanwhile. */
  readsOf(work: () => Promise<unknown>): Promise<number>;
}

/** Each item that its queue looks at is looked up in a set. */
async function ofMemory(): Promise<CountedStore> {
  const store = memoryStore({ maxOperations: size + 1, logger: {} });
  return {
    store,
    async copy(count) {
      const [claim] = (await store.open({ space: 'webhook.default', limit: 1 })).claims;
      for (let index = 0; index < count; index += 1) {
        const key = `${claim?.key}/${String(index).padStart(6, '0')}`;
        await store.claim(key, 1, { data: claim?.data, token: 'copy' });
        await store.release(key, 'copy');
      }
    },
    async readsOf(work) {
      const looks = vi.spyOn(Set.prototype, 'has');
      await work();
      const count = looks.mock.calls.length;
      looks.mockRestore();
      return count;
    },
  };
}

const readStatement = `SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) AS read
FROM pg_stat_xact_user_tables WHERE relname LIKE 'payments_claims%'`;

/** PostgreSQL counts the rows that a transaction reads, also within functions. */
async function ofPostgres(): Promise<CountedStore> {
  const pool = postgres.pool();
  let counted: number | undefined;
  const client: PostgresClient = {
    query: async (text, values) => {
      if (counted === undefined) return pool.query(text, values);
      const connection = await pool.connect();
      // It has those of earlier transactions too, until the server collects them.
      const readSoFar = async () => Number((await connection.query(readStatement)).rows[0]?.read);
      await connection.query('BEGIN');
      const before = await readSoFar();
      const result = await connection.query(text, values);
      counted += (await readSoFar()) - before;
      await connection.query('COMMIT');
      connection.release();
      return result;
    },
  };
  const store = postgresStore(client, { timeout: 5000 });
  await store.migrate();
  return {
    store,
    copy: (count) =>
      pool.query(
        `INSERT INTO payments_claims (key, token, attempt, completed, expires_at, claimed_at, data)
        SELECT key || '/' || lpad(copy::text, 6, '0'), token, attempt, completed, expires_at, claimed_at + copy / 3 * interval '1 ms', data
        FROM payments_claims, generate_series(1, $1::integer) AS copy`,
        [count],
      ),
    async readsOf(work) {
      counted = 0;
      await work();
      const count = counted;
      counted = undefined;
      return count;
    },
  };
}

/** SQLite has no counter here: a statement reads the rows that it returns, or all unless it seeks its first one and has a limit. */
async function ofSqlite(): Promise<CountedStore> {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  let counted: number | undefined;
  const isBounded = (sql: string) => {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const seeks = plan.every(({ detail }) => !/TEMP B-TREE|SCAN payments_claims/.test(String(detail)));
    return seeks && (/LIMIT \?/.test(sql) || !sql.includes('payments_claims'));
  };
  const counting = {
    exec: (sql: string) => database.exec(sql),
    get isTransaction() {
      return database.isTransaction;
    },
    prepare(sql: string) {
      const statement = database.prepare(sql);
      const count = (rows: number) => {
        if (counted !== undefined) counted += isBounded(sql) ? rows : Number.POSITIVE_INFINITY;
      };
      return {
        run: (...values: never[]) => statement.run(...values),
        get: (...values: never[]) => {
          count(1);
          return statement.get(...values);
        },
        all: (...values: never[]) => {
          const rows = statement.all(...values);
          count(rows.length);
          return rows;
        },
        setReadBigInts: (enabled: boolean) => statement.setReadBigInts(enabled),
      };
    },
  };
  return {
    store: sqliteStore(counting),
    copy: async (count) => {
      database
        .prepare(
          `WITH RECURSIVE copies (copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ?)
          INSERT INTO payments_claims (key, token, attempt, completed, since, until, data)
          SELECT key || '/' || printf('%06d', copy), token, attempt, completed, since + copy / 3, until, data FROM payments_claims, copies`,
        )
        .run(count);
    },
    async readsOf(work) {
      counted = 0;
      await work();
      const count = counted;
      counted = undefined;
      return count;
    },
  };
}

/** Redis counts the commands, also those of scripts. */
async function ofRedis(): Promise<CountedStore> {
  const server = await startRedisServer();
  const client = await createClient({ socket: { path: server.path, tls: false } }).connect();
  onTestFinished(async () => {
    client.destroy();
    await server.stop();
  });
  const commands = async () => {
    const calls = (await client.info('commandstats')).matchAll(/cmdstat_(hmget|hget|zscore).*?calls=(\d+)/g);
    return [...calls].reduce((sum, [, , count]) => sum + Number(count), 0);
  };
  const copyScript = `
local key = redis.call('KEYS', '*{claims}webhook.default/*')[1]
local fields = redis.call('HGETALL', key)
local index = 'payments-client:open{claims}webhook.default'
local member = redis.call('ZRANGE', index, 0, 0)[1]
for copy = 1, tonumber(ARGV[1]) do
  local ending = string.format('/%06d', copy)
  redis.call('HSET', key .. ending, unpack(fields))
  redis.call('ZADD', index, 0, member .. ending)
end`;
  return {
    store: redisStore(client, { timeout: 5000 }),
    copy: (count) => client.eval(copyScript, { arguments: [String(count)] }),
    async readsOf(work) {
      const before = await commands();
      await work();
      return (await commands()) - before;
    },
  };
}

describe.each([
  { name: 'memory', isSkipped: false, open: ofMemory },
  { name: 'SQLite', isSkipped: false, open: ofSqlite },
  { name: `Redis${redis.why}`, isSkipped: redis.isSkipped, open: ofRedis },
  { name: `PostgreSQL${postgres.why}`, isSkipped: postgres.isSkipped, open: ofPostgres },
])('a backlog in $name', ({ isSkipped, open }) => {
  it.skipIf(isSkipped)(
    'is listed by reading each delivery once, whatever their number',
    { timeout: 300_000 },
    async () => {
      const { store, copy, readsOf } = await open();
      const fail = () => Promise.reject(new Error('no stock'));
      const receiver = webhooksAt().receiver({ store, onEvent: fail, onError: () => {} });
      await receiver.handle(await delivery(eventOf('refund.failed', { id: 'evt_1' })));
      await copy(size - 1);
      const listed = receiver.failed();
      const seen = new Set<string>();
      const readPage = async () => {
        for (let index = 0; index < pageSize; index += 1) {
          const { value } = await listed.next();
          if (value) seen.add(value.id);
        }
      };
      const reads: number[] = [];
      for (let page = 0; page < size / pageSize; page += 1) {
        if (page % 333 === 0) reads.push(await readsOf(readPage));
        else await readPage();
      }
      expect(seen.size).toBe(size);
      expect(Math.min(...reads)).toBeGreaterThanOrEqual(pageSize);
      expect(Math.max(...reads)).toBeLessThanOrEqual(3 * pageSize);
      expect((await store.claim('next', long)).status).toBe('claimed');
      expect(await receiver.backlog()).toMatchObject({ count: size });
    },
  );
});

it.skipIf(postgres.isSkipped)(`PostgreSQL reads each due document once${postgres.why}`, async () => {
  const { store, readsOf } = await ofPostgres();
  await postgres.pool().query(`INSERT INTO payments_claims_documents (key, version, data, wake_at)
    SELECT 'shop/' || copy, 1, '{}', copy / 3 FROM generate_series(1, 10000) AS copy`);
  const query = { space: 'shop', until: 9_000, limit: pageSize };
  const first = await store.due(query);
  expect(await readsOf(() => store.due({ ...query, after: first.at(-1) }))).toBe(pageSize);
});
