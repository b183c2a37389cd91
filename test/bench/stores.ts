/** The stores of a journal and a guard, each with bare statements of its client library. */

import { DatabaseSync } from 'node:sqlite';
import { memoryStore, postgresStore, redisStore, type Store, sqliteStore } from 'payments-client/stores';
import { Pool } from 'pg';
import { createClient } from 'redis';
import type { StoreKind, StorePlace } from './store-places.ts';

interface OpenStore {
  readonly store: Store;
  /** Sets the text under a key, and knows nothing of claims. */
  readonly write: (key: string, data: string) => unknown;
  /** Adds one to two counters, in one round trip, and reads them. */
  readonly count: (one: string, other: string) => unknown;
  readonly close: () => unknown;
}

/** How long a bare counter of Redis is kept, in seconds. */
const lifetime = 3600;

const bare = 'CREATE TABLE IF NOT EXISTS bare (key text PRIMARY KEY, data text)';
const upsert = (values: string) =>
  `INSERT INTO bare VALUES (${values}) ON CONFLICT (key) DO UPDATE SET data = excluded.data`;
const counters = 'CREATE TABLE IF NOT EXISTS counters (key text PRIMARY KEY, n integer)';
const increment = (one: string, other: string) =>
  `INSERT INTO counters VALUES (${one}, 1), (${other}, 1) ON CONFLICT (key) DO UPDATE SET n = counters.n + 1 RETURNING n`;

const openers: Readonly<Record<StoreKind, (address: string) => OpenStore | Promise<OpenStore>>> = {
  memory: () => {
    const texts = new Map<string, string>();
    const numbers = new Map<string, number>();
    const add = (key: string) => numbers.set(key, (numbers.get(key) ?? 0) + 1);
    return {
      store: memoryStore(),
      write: (key, data) => texts.set(key, data),
      count: (...keys) => keys.map(add),
      close: () => {},
    };
  },
  sqlite: (path) => {
    const database = new DatabaseSync(`${path}-bare`);
    // As the store writes: a commit is on the disk before the statement ends.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${bare}; ${counters}`);
    const statement = database.prepare(upsert('?, ?'));
    const counting = database.prepare(increment('?', '?'));
    const store = sqliteStore(path);
    return {
      store,
      write: (key, data) => statement.run(key, data),
      count: (...keys) => counting.all(...keys),
      close: () => {
        store.close();
        database.close();
      },
    };
  },
  redis: async (path) => {
    const client = createClient({ socket: { path, tls: false } });
    await client.connect();
    const count = (one: string, other: string) =>
      client.multi().incr(one).expire(one, lifetime).incr(other).expire(other, lifetime).execAsPipeline();
    return {
      store: redisStore(client),
      write: (key, data) => client.set(key, data),
      count,
      close: () => client.close(),
    };
  },
  postgres: async (connectionString) => {
    const pool = new Pool({ connectionString });
    const store = postgresStore(pool);
    await store.migrate();
    await pool.query(`${bare}; ${counters}`);
    return {
      store,
      write: (key, data) => pool.query(upsert('$1, $2'), [key, data]),
      count: (...keys) => pool.query(increment('$1', '$2'), keys),
      close: () => pool.end(),
    };
  },
};

/** Opens a store, in the process that measures it. */
export async function openStore({ kind, address }: StorePlace): Promise<OpenStore> {
  return openers[kind](address);
}
