/** PGlite in this process, behind a real socket: available on every machine. It runs one statement at a time. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { beforeAll } from 'vitest';
import { emptyPglite } from '../../support/pglite.ts';
import { describeStore } from '../contract.ts';

let db: PGlite;
beforeAll(async () => {
  db = await emptyPglite();
}, 60_000);

describeStore('PGlite, by pg over a socket', false, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pglite-'));
  const server = new PGLiteSocketServer({ db, path: join(folder, '.s.PGSQL.5432'), maxConnections: 5 });
  await server.start();
  const pool = new pg.Pool({ host: folder, port: 5432, user: 'postgres', database: 'postgres', max: 4 });
  const close = async () => {
    await pool.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const store = postgresStore(pool, { timeout: 5000 });
  await pool.query(store.schema);
  return { stores: [store, postgresStore(pool, { timeout: 5000 })], purge: () => store.purge(), close };
});

describeStore('PGlite itself', false, async () => {
  const inSchema = postgresStore(db, { table: 'public.events' });
  const store = postgresStore(db, { table: 'events' });
  await db.exec(store.schema);
  return { stores: [store, inSchema], purge: () => store.purge(), close: async () => {} };
});
