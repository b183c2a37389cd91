import { Redis as Ioredis } from 'ioredis';
import { postgresStore, redisStore, type Store, sqliteStore } from 'payments-client/stores';
import pg from 'pg';
import { createClient } from 'redis';
import type { PostgresServer } from '../../support/postgres-server.ts';
import { appendLine, readLines } from './notes.ts';

/** The address of a store. */
export type StoreAddress =
  | { readonly kind: 'redis' | 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly connection: PostgresServer['connection'] };

/** An open store, lists of texts that all processes append to, and how to close both. */
export interface OpenedStore {
  readonly store: Store;
  append(list: string, text: string): Promise<unknown>;
  read(list: string): Promise<readonly string[]>;
  close(): Promise<unknown>;
}

const ignore = () => {};

async function openRedis(path: string, slot: number): Promise<OpenedStore> {
  const client = await createClient({ socket: { path, tls: false } })
    .on('error', ignore)
    .connect();
  const io = new Ioredis({ path }).on('error', ignore);
  return {
    // Half of the processes use the other client.
    store: redisStore(slot % 2 === 0 ? client : io),
    append: (list, text) => client.rPush(list, text),
    read: (list) => client.lRange(list, 0, -1),
    close: () => Promise.all([client.close(), io.quit()]),
  };
}

/** Opens a pool whose connections may break. */
export function openPool(connection: PostgresServer['connection']): pg.Pool {
  return new pg.Pool({ ...connection, max: 10 })
    .on('error', ignore)
    .on('connect', (client) => void client.on('error', ignore));
}

/** The table of the merchant, in which a handler may write within its transaction. */
export async function openTables(pool: pg.Pool) {
  const store = postgresStore(pool);
  await store.migrate();
  await pool.query('CREATE TABLE IF NOT EXISTS lists (list text NOT NULL, text text NOT NULL)');
  const append = (list: string, text: string, client: Pick<pg.Pool, 'query'> = pool) =>
    client.query('INSERT INTO lists VALUES ($1, $2)', [list, text]);
  const read = async (list: string) => {
    const { rows } = await pool.query<{ text: string }>('SELECT text FROM lists WHERE list = $1', [list]);
    return rows.map(({ text }) => text);
  };
  return { store, append, read, close: () => pool.end() };
}

/** Opens a store. */
export async function openStore(address: StoreAddress, slot = 0): Promise<OpenedStore> {
  if (address.kind === 'redis') return openRedis(address.path, slot);
  if (address.kind === 'postgres') return openTables(openPool(address.connection));
  const store = sqliteStore(address.path);
  const fileOf = (list: string) => `${address.path}.${list}`;
  return {
    store,
    append: async (list, text) => appendLine(fileOf(list), text),
    read: async (list) => readLines<string>(fileOf(list)),
    close: async () => store.close(),
  };
}
