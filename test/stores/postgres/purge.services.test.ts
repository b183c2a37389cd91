import { type PostgresClient, type PostgresStore, postgresStore } from 'payments-client/stores';
import { beforeEach, describe, expect, it } from 'vitest';
import { entryOf } from '../attempts.ts';
import { claimOf, handle, long, start } from '../time.ts';
import { type Connection, setClock, usePostgres } from './database.ts';

const postgres = usePostgres('postgres/purge');

describe.skipIf(postgres.isSkipped)(`purge${postgres.why}`, () => {
  let store: PostgresStore;
  let pool: PostgresClient;
  let connection: Connection;
  let pass: (ms: number) => Promise<unknown>;
  beforeEach(async () => {
    const { admin, ...timed } = await postgres.createTimed();
    let now = start;
    connection = timed.connection;
    pool = admin;
    pass = (ms) => setClock(admin, (now += ms));
    store = postgresStore(admin);
    await store.migrate();
  });

  const keysIn = async (table = 'payments_claims') =>
    (await pool.query(`SELECT key FROM ${table} ORDER BY key`, [])).rows.map(({ key }) => key);
  /** Inserts many completed records, of which some have expired. */
  const insertMany = (count: number, expired = 'true') =>
    pool.query(
      `INSERT INTO payments_claims SELECT n::text, 'token', 1, ${expired}, clock_timestamp() - interval '1 hour', now()
       FROM generate_series(1, ${count}) n`,
      [],
    );

  it('deletes counted attempts after their window and one bucket, and finds no rows of blocked ones', async () => {
    const short = entryOf('short', 1n, { windowMs: 60 });
    await store.check('1', [short]);
    await store.check('2', [entryOf('kept')]);
    await store.check('3', [entryOf('kept'), short]);
    await store.check('4', [entryOf('a'), entryOf('b', 1n, { limit: 0n, blocks: true })]);
    const table = 'payments_claims_velocity';
    await pass(60);
    expect([await store.purge(), (await keysIn(table)).length]).toEqual([0, 5]);
    await pass(1);
    expect([await store.purge(), await keysIn(table)]).toEqual([2, ['attempt 2', 'attempt 3', 'kept']]);
  });

  it('deletes at most 1000 records at once', async () => {
    await insertMany(2500);
    const counts: number[] = [];
    const counting: PostgresClient = {
      query: async (text, values) => {
        const result = await pool.query(text, values);
        counts.push(Number(result.rows[0]?.['deleted']));
        return result;
      },
    };
    expect(await postgresStore(counting).purge()).toBe(2500);
    // The first statement reads the blocks of the claims, the last those of the counted attempts, which has none.
    expect(counts).toEqual([Number.NaN, 1000, 1000, 500, Number.NaN]);
  });

  it('can run concurrently with itself', async () => {
    await insertMany(2500);
    const deleted = await Promise.all([store.purge(), store.purge(), store.purge()]);
    expect(deleted.reduce((sum, each) => sum + each)).toBe(2500);
    expect(await keysIn()).toEqual([]);
  });

  it('neither waits for a transaction nor deletes its claims', async () => {
    for (const key of ['held', 'free']) await handle(store, key, 1);
    await pass(1);
    const { client } = await postgres.connect(connection);
    await client.query('BEGIN');
    claimOf(await store.claim('held', long, { client }));
    expect(await store.purge()).toBe(1);
    await client.query('COMMIT');
    expect([await store.purge(), await keysIn()]).toEqual([0, ['held']]);
  });

  it('reads each block once', async () => {
    // About 70 rows fit into a block, so there are several ranges.
    await insertMany(30_000, 'n % 100 = 0');
    const ranges: unknown[][] = [];
    const plans: string[] = [];
    const explaining: PostgresClient = {
      query: async (text, values) => {
        if (values.length === 2) {
          ranges.push(values);
          plans.push(JSON.stringify((await pool.query(`EXPLAIN ${text}`, values)).rows));
        }
        return await pool.query(text, values);
      },
    };
    expect(await postgresStore(explaining).purge()).toBe(300);
    const { rows } = await pool.query(`SELECT pg_relation_size('payments_claims') / 8192 AS blocks`, []);
    expect(ranges.length).toBe(Math.ceil(Number(rows[0]?.['blocks']) / 128));
    expect(ranges.length).toBeGreaterThan(2);
    for (const [index, range] of ranges.entries())
      expect(range).toEqual([`(${index * 128},0)`, `(${(index + 1) * 128},0)`]);
    for (const plan of plans) expect(plan).toMatch(/Tid Range Scan on payments_claims/);
  });
});
