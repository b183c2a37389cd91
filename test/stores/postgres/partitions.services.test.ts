/** Tables that the merchant partitioned by key hash. */

import { type PostgresClient, postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyPglite } from '../../support/pglite.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { entryOf } from '../counted-attempts.ts';
import { claimOf, long, untilExpired } from '../time.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/stores/postgres/partitions.services.test.ts',
);

/** The tables as the guide creates them, before `migrate()`. */
const partitioned = `
CREATE SCHEMA shop;
CREATE TABLE shop."Claims" (
  key text COLLATE "C" PRIMARY KEY,
  token text,
  attempt integer NOT NULL,
  completed boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  claimed_at timestamptz NOT NULL,
  data text,
  listed boolean GENERATED ALWAYS AS (data IS NOT NULL AND NOT completed) STORED
) PARTITION BY HASH (key);
DO $$ BEGIN
  FOR part IN 0..15 LOOP
    EXECUTE format('CREATE TABLE shop."Claims_%s" PARTITION OF shop."Claims"
      FOR VALUES WITH (MODULUS 16, REMAINDER %s) WITH (fillfactor = 90)', part, part);
  END LOOP;
END $$`;

async function openServer(): Promise<PostgresClient> {
  const server = await startPostgresServer();
  const pool = new pg.Pool({ ...server.connection, max: 4 });
  onTestFinished(async () => {
    await pool.end();
    await server.stop();
  });
  await pool.query(partitioned);
  return pool;
}

async function openPglite(): Promise<PostgresClient> {
  const db = await emptyPglite();
  await db.exec(partitioned);
  return db;
}

describe.each([
  { name: `PostgreSQL${why}`, skip: isSkipped, open: openServer },
  { name: 'PGlite', skip: false, open: openPglite },
])('a partitioned table of $name', ({ skip, open }) => {
  it.skipIf(skip)('works like a plain table, and is purged', async () => {
    const client = await open();
    const store = postgresStore(client, { table: 'shop.Claims' });
    await store.migrate();
    await store.migrate();
    for (let index = 0; index < 100; index += 1) {
      const { token } = claimOf(await store.claim(`evt_${index}`, long));
      await store.complete(`evt_${index}`, token, index % 2 === 0 ? 1 : long);
    }
    await store.claim('open', long, { data: 'data' });
    expect(await store.record('recorded', long, { client })).toMatchObject({ attempt: 1 });
    await store.check('1', [entryOf('a', 1n, { windowMs: 1 })]);
    await untilExpired(store);
    // The odd ones remain. The record of the clock may be among the deleted ones.
    expect(await store.purge()).toBeGreaterThanOrEqual(52);
    expect(await store.claim('evt_1', long)).toEqual({ status: 'completed' });
    expect(await store.claim('evt_0', long)).toMatchObject({ attempt: 1 });
    expect(await store.open({ space: 'open', limit: 10 })).toMatchObject({
      claims: [{ key: 'open', data: 'data' }],
      count: 1,
    });
    const { rows } = await client.query(
      'SELECT count(DISTINCT tableoid)::int4 AS parts FROM shop."Claims"',
      [],
    );
    expect(rows).toEqual([{ parts: 16 }]);
  });
});
