/** Tables that the merchant partitioned by key hash. */

import { type PostgresClient, postgresStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { emptyPglite } from '../../support/pglite.ts';
import { entryOf } from '../attempts.ts';
import { handle, long, start } from '../time.ts';
import { clockOfTest, pathOfTest, setClock, usePostgres } from './database.ts';

const postgres = usePostgres('postgres/partitions');

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
  const { admin } = await postgres.createTimed();
  await admin.query(partitioned);
  return admin;
}

async function openPglite(): Promise<PostgresClient> {
  const db = await emptyPglite();
  await db.exec(`${clockOfTest} SET search_path = ${pathOfTest}; ${partitioned}`);
  return db;
}

describe.each([
  { name: `PostgreSQL${postgres.why}`, skip: postgres.isSkipped, open: openServer },
  { name: 'PGlite', skip: false, open: openPglite },
])('a partitioned table of $name', ({ skip, open }) => {
  it.skipIf(skip)('works like a plain table, and is purged', async () => {
    const client = await open();
    const store = postgresStore(client, { table: 'shop.Claims' });
    await store.migrate();
    await store.migrate();
    for (let index = 0; index < 100; index += 1)
      await handle(store, `evt_${index}`, index % 2 === 0 ? 1 : long);
    await store.claim('open', long, { data: 'data' });
    expect(await store.record('recorded', long, { client })).toMatchObject({ attempt: 1 });
    await store.check('1', [entryOf('a', 1n, { windowMs: 1 })]);
    await setClock(client, start + 2);
    // The odd ones remain; the attempt is a row of the key and one of its own.
    expect(await store.purge()).toBe(50 + 2);
    expect(await store.claim('evt_1', long)).toEqual({ status: 'completed' });
    expect(await store.claim('evt_0', long)).toMatchObject({ attempt: 1 });
    const opened = { claims: [{ key: 'open', data: 'data' }], count: 1 };
    expect(await store.open({ space: 'open', limit: 10, counts: true })).toMatchObject(opened);
    const parts = 'SELECT count(DISTINCT tableoid)::int4 AS parts FROM shop."Claims"';
    expect((await client.query(parts, [])).rows).toEqual([{ parts: 16 }]);
  });
});
