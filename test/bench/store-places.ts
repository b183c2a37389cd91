/** Where stores are: servers that run, and files. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPostgres, startPostgresServer } from '../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../support/redis-server.ts';

export const storeKinds = ['memory', 'sqlite', 'redis', 'postgres'] as const;

export type StoreKind = (typeof storeKinds)[number];

/** A store that processes can open. */
export interface StorePlace {
  readonly kind: StoreKind;
  /** A path, or the URL that a client connects to. Empty for a store in memory. */
  readonly address: string;
}

interface Running {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** A file of SQLite is made in a folder of its own, on the disk that `TMPDIR` is on. */
function newFile(): Running {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  return { address: join(folder, 'store.db'), stop: async () => rmSync(folder, { recursive: true }) };
}

/** Servers write to the disk as those of a merchant do. */
const places: Readonly<Record<StoreKind, () => Promise<Running | undefined>>> = {
  memory: async () => ({ address: '', stop: async () => {} }),
  sqlite: async () => newFile(),
  redis: async () => {
    if (!hasRedis()) return undefined;
    const { path, stop } = await startRedisServer({ isDurable: true });
    return { address: path, stop };
  },
  postgres: async () => {
    if (!hasPostgres()) return undefined;
    const { connection, stop } = await startPostgresServer({ isDurable: true });
    const { user, host, port, database } = connection;
    return { address: `postgresql://${user}@localhost:${port}/${database}?host=${host}`, stop };
  },
};

/** Does something with a store, which is removed afterwards; returns `undefined` where its server is not installed. */
export async function withStore<T>(
  kind: StoreKind,
  work: (place: StorePlace) => Promise<T>,
): Promise<T | undefined> {
  const running = await places[kind]();
  if (running === undefined) return undefined;
  try {
    return await work({ kind, address: running.address });
  } finally {
    await running.stop();
  }
}
