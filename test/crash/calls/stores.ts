import { postgresStore, redisStore, sqliteStore } from 'payments-client/stores';
import pg from 'pg';
import { createClient } from 'redis';
import type { PostgresServer } from '../../support/postgres-server.ts';
import { bySize } from '../../support/size.ts';
import type { ClaimStore } from '../../support/stores.ts';

/** The address of a store. */
export type StoreAddress =
  | { readonly kind: 'redis'; readonly path: string }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly connection: PostgresServer['connection'] };

/** An open store, and how to close it. */
export interface OpenedStore {
  readonly store: ClaimStore;
  close(): void | Promise<void>;
}

/**
 * How much a lease is shortened, in ms. The orders of a killed process wait for its leases, so the short test keeps one
 * second of the margin of fifteen. The long test keeps all of it.
 */
const cut = bySize({ short: 14_000, all: 14_000, long: 0 });

function withShorterLeases(store: ClaimStore): ClaimStore {
  return {
    claim: (key, lease, options) => store.claim(key, lease - cut, options),
    renew: (key, token, lease, options) => store.renew(key, token, lease - cut, options),
    complete: (...args) => store.complete(...args),
    release: (...args) => store.release(...args),
    open: (query) => store.open(query),
  };
}

async function connect(address: StoreAddress): Promise<OpenedStore> {
  if (address.kind === 'sqlite') {
    const store = sqliteStore(address.path);
    return { store, close: () => store.close() };
  }
  if (address.kind === 'redis') {
    const client = await createClient({ socket: { path: address.path, tls: false } }).connect();
    return { store: redisStore(client), close: () => client.close() };
  }
  const pool = new pg.Pool({ ...address.connection, max: 10 });
  const store = postgresStore(pool);
  await store.migrate();
  return { store, close: () => pool.end() };
}

/** Opens a store. */
export async function openStore(address: StoreAddress): Promise<OpenedStore> {
  const { store, close } = await connect(address);
  return { store: withShorterLeases(store), close };
}
