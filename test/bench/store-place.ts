import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../support/postgres-server.ts';
import { startRedisServer } from '../support/redis-server.ts';

/** A store that another process can open. */
export interface StorePlace {
  readonly kind: 'sqlite' | 'redis' | 'postgres';
  /** The path of a file or socket, or a URL. */
  readonly address: string;
}

interface Running {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** Each writes to the disk as a merchant's does. */
const starters: Readonly<Record<StorePlace['kind'], () => Promise<Running>>> = {
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
    return { address: join(folder, 'store.db'), stop: async () => rmSync(folder, { recursive: true }) };
  },
  redis: async () => {
    const { path, stop } = await startRedisServer({ isDurable: true });
    return { address: path, stop };
  },
  postgres: async () => {
    const { connection, stop } = await startPostgresServer({ isDurable: true });
    const { user, host, port, database } = connection;
    return { address: `postgresql://${user}@localhost:${port}/${database}?host=${host}`, stop };
  },
};

/** Does something with a new store, and removes it afterwards. */
export async function withStore<T>(
  kind: StorePlace['kind'],
  work: (place: StorePlace) => Promise<T>,
): Promise<T> {
  const { address, stop } = await starters[kind]();
  try {
    return await work({ kind, address });
  } finally {
    await stop();
  }
}
