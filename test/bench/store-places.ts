/** Where stores are: servers that run, and files. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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

/** A folder in memory, where the machine has one. */
const memoryFolder = '/dev/shm';

/** A file of SQLite is made in a folder of its own, on the disk that `TMPDIR` is on, or in memory. */
function newFile(isDurable: boolean): Running {
  const parent = isDurable || !existsSync(memoryFolder) ? tmpdir() : memoryFolder;
  const folder = mkdtempSync(join(parent, 'sqlite-'));
  return { address: join(folder, 'store.db'), stop: async () => rmSync(folder, { recursive: true }) };
}

type Open = (isDurable: boolean) => Promise<Running | undefined>;

const places: Readonly<Record<StoreKind, Open>> = {
  memory: async () => ({ address: '', stop: async () => {} }),
  sqlite: async (isDurable) => newFile(isDurable),
  redis: async (isDurable) => {
    if (!hasRedis()) return undefined;
    const { path, stop } = await startRedisServer({ isDurable });
    return { address: path, stop };
  },
  postgres: async (isDurable) => {
    if (!hasPostgres()) return undefined;
    const { connection, stop } = await startPostgresServer({ isDurable });
    const { user, host, port, database } = connection;
    return { address: `postgresql://${user}@localhost:${port}/${database}?host=${host}`, stop };
  },
};

/**
 * Does something with a store, which is removed afterwards; returns `undefined` where its server is not installed.
 *
 * @param isDurable Whether it writes to the disk as the store of a merchant does. Default: true.
 */
export async function withStore<T>(
  kind: StoreKind,
  work: (place: StorePlace) => Promise<T>,
  { isDurable = true } = {},
): Promise<T | undefined> {
  const running = await places[kind](isDurable);
  if (running === undefined) return undefined;
  try {
    return await work({ kind, address: running.address });
  } finally {
    await running.stop();
  }
}
