import { postgresStore, redisStore, sqliteStore } from 'payments-client/stores';
import { Pool } from 'pg';
import { createClient } from 'redis';
import type { Job } from '../side.ts';
import type { StorePlace } from '../store-place.ts';
import { creating } from './payments-client.ts';

async function openStore({ kind, address }: StorePlace) {
  if (kind === 'sqlite') return sqliteStore(address);
  if (kind === 'redis') {
    const client = createClient({ socket: { path: address, tls: false } });
    await client.connect();
    return redisStore(client);
  }
  const store = postgresStore(new Pool({ connectionString: address }));
  await store.migrate();
  return store;
}

export const create: Job = async ({ url, store }) => {
  if (store === undefined) throw new Error('expected the place of a store, got none.');
  return creating(url, await openStore(store));
};
