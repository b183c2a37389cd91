/** Updates that write to no index. Only a real server counts them. */

import { type PostgresStore, postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { takeBack } from '../../support/stores.ts';
import { entryOf } from '../attempts.ts';
import { claimOf, long } from '../time.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/stores/postgres/updates.services.test.ts',
);

let server: PostgresServer | undefined;
/** One connection: it sees its own statistics immediately, and reports them to others when idle. */
let client: pg.Client;
let store: PostgresStore;
beforeAll(async () => {
  if (isSkipped) return;
  server = await startPostgresServer();
  client = new pg.Client(server.connection);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

/** Returns the share of HOT updates of a table. */
async function hotShare(table: string, atLeast: number): Promise<number> {
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query(
    'SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = $1',
    [table],
  );
  const [updates, hot] = [Number(rows[0]?.updates), Number(rows[0]?.hot)];
  expect(updates).toBeGreaterThanOrEqual(atLeast);
  return hot / updates;
}

describe.skipIf(isSkipped)(`the updates of PostgreSQL${why}`, () => {
  let table: string;
  beforeEach(async () => {
    table = `t${crypto.randomUUID().replaceAll('-', '')}`;
    store = postgresStore(client, { table });
    await store.migrate();
  });

  type Use = (index: number) => Promise<unknown>;
  const claimAs = async (index: number, data?: string) =>
    claimOf(await store.claim(`evt_${index}`, long, { data })).token;

  it.each<[what: string, use: Use, updates: number, suffix?: string]>([
    [
      'claims without data are completed',
      async (index) => store.complete(`evt_${index}`, await claimAs(index), long),
      1,
    ],
    [
      'leases are renewed and attempts released',
      async (index) => {
        const token = await claimAs(index, index % 2 === 0 ? 'kept' : undefined);
        await store.renew(`evt_${index}`, token, long);
        await store.release(`evt_${index}`, token);
        await claimAs(index);
      },
      3,
    ],
    [
      'many attempts are counted under one key',
      (index) => store.check(`attempt ${index}`, [entryOf('busy'), entryOf(`card ${index}`)]),
      2,
      '_velocity',
    ],
    [
      'documents are saved with the same time',
      async (index) => {
        for (const version of [0, 1]) await store.save(`order ${index}`, version, '{}', { wakeAt: 1 });
      },
      1,
      '_documents',
    ],
  ])('write to no index when %s', async (_what, use, updates, suffix = '') => {
    const uses = 400;
    for (let index = 0; index < uses; index += 1) await use(index);
    expect(await hotShare(table + suffix, uses * updates)).toBeGreaterThan(0.9);
  });

  it('find the rows of attempts by key, even with a plan made for an empty table', async () => {
    const readRows = async () => {
      await client.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await client.query(
        'SELECT seq_tup_read AS read FROM pg_stat_user_tables WHERE relname = $1',
        [`${table}_velocity`],
      );
      return Number(rows[0]?.read);
    };
    await client.query(`ANALYZE ${table}_velocity`);
    const before = await readRows();
    for (let index = 0; index < 100; index += 1) {
      const entries = [
        entryOf('busy'),
        entryOf(`card ${index}`),
        entryOf('full', 1n, { limit: 50n, blocks: true }),
      ];
      await store.check(`attempt ${index}`, entries);
      if (index % 2 === 0) await takeBack(store, `attempt ${index}`, ['busy']);
    }
    expect(await readRows()).toBe(before);
  });
});
