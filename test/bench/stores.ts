/** The stores of a journal, each with one bare statement of its client library. */

import { DatabaseSync } from 'node:sqlite';
import { type ClaimStore, memoryStore, postgresStore, redisStore, sqliteStore } from 'payments-client/stores';
import { Pool } from 'pg';
import { createClient } from 'redis';
import type { StoreKind, StorePlace } from './store-places.ts';

interface OpenStore {
  readonly store: ClaimStore;
  /** Sets the text under a key, and knows nothing of claims. */
  readonly write: (key: string, data: string) => unknown;
}

const table = 'CREATE TABLE IF NOT EXISTS bare (key text PRIMARY KEY, data text)';
const upsert = (values: string) =>
  `INSERT INTO bare VALUES (${values}) ON CONFLICT (key) DO UPDATE SET data = excluded.data`;

const openers: Readonly<Record<StoreKind, (address: string) => OpenStore | Promise<OpenStore>>> = {
  memory: () => {
    const texts = new Map<string, string>();
    return { store: memoryStore(), write: (key, data) => texts.set(key, data) };
  },
  sqlite: (path) => {
    const database = new DatabaseSync(`${path}-bare`);
    // As the store writes: a commit is on the disk before the statement ends.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${table}`);
    const statement = database.prepare(upsert('?, ?'));
    return { store: sqliteStore(path), write: (key, data) => statement.run(key, data) };
  },
  redis: async (path) => {
    const client = createClient({ socket: { path, tls: false } });
    await client.connect();
    return { store: redisStore(client), write: (key, data) => client.set(key, data) };
  },
  postgres: async (connectionString) => {
    const pool = new Pool({ connectionString });
    const store = postgresStore(pool);
    await store.migrate();
    await pool.query(table);
    return { store, write: (key, data) => pool.query(upsert('$1, $2'), [key, data]) };
  },
};

/** Opens a store, in the process that measures it. */
export async function openStore({ kind, address }: StorePlace): Promise<OpenStore> {
  return openers[kind](address);
}
