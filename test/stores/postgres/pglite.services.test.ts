/** PGlite in this process, behind a real socket: available on every machine. It runs one statement at a time. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { emptyPglite } from '../../support/pglite.ts';
import { describeStore } from '../contract.ts';
import { transactWith } from '../documents.ts';
import { bucketsIn, clockOfTest, pathOfTest, setClock } from './database.ts';

async function open(client: PostgresClient, tables: readonly string[], end = async () => {}) {
  const db = await emptyPglite();
  await db.exec(`${clockOfTest} SET search_path = ${pathOfTest}`);
  const [store, other] = tables.map((table) => postgresStore(client, { table, timeout: 5000 }));
  if (store === undefined || other === undefined) throw new Error('expected two tables');
  await store.migrate();
  return {
    stores: [store, other] as const,
    transact: transactWith(store),
    isServer: true,
    // It runs in this process, and takes 5 s for 4 MiB on a busy machine.
    longData: 64 * 1024,
    setTime: (now: number) => setClock(db, now),
    bucketsOf: (key: string) => bucketsIn(db, key, 'events'),
    purge: () => store.purge(),
    close: async () => {
      await end();
      await db.exec('RESET search_path');
    },
  };
}

describeStore('PGlite, by pg over a socket', false, async () => {
  const db = await emptyPglite();
  const folder = mkdtempSync(join(tmpdir(), 'pglite-'));
  const server = new PGLiteSocketServer({ db, path: join(folder, '.s.PGSQL.5432'), maxConnections: 5 });
  await server.start();
  const pool = new pg.Pool({ host: folder, port: 5432, user: 'postgres', database: 'postgres', max: 4 });
  return open(pool, ['events', 'events'], async () => {
    await pool.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

describeStore('PGlite itself', false, async () => open(await emptyPglite(), ['events', 'public.events']));
