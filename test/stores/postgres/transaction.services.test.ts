/** Transactions of PostgreSQL, by real connections, and by PGlite. */

import { ConfigurationError, PaymentsError } from 'payments-client';
import { type PostgresStore, postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { emptyPglite } from '../../support/pglite.ts';
import { freshKey } from '../time.ts';
import { addEffect, outcomeOf, usePostgres } from './database.ts';

const postgres = usePostgres('postgres/transaction');
const { isSkipped, why } = postgres;
const never = { wakeAt: null };

/** Returns a store with a pool of its own, until the test ends. */
function open(options: pg.PoolConfig & { timeout?: number } = {}): { store: PostgresStore; pool: pg.Pool } {
  const { timeout = 5000, ...config } = options;
  const pool = new pg.Pool({ ...postgres.server().connection, max: 4, ...config });
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  return { store: postgresStore(pool, { timeout }), pool };
}

describe.skipIf(isSkipped)(`a transaction of PostgreSQL${why}`, () => {
  beforeAll(async () => {
    if (!isSkipped) await postgresStore(postgres.pool()).migrate();
  });

  it('commits rows and documents together, and shows neither before', async () => {
    const [{ store }, key] = [open(), freshKey()];
    const result = await store.transaction(async (client, documents) => {
      await addEffect(client, key);
      expect(await documents.save(key, 0, 'one', { references: [key], wakeAt: 1 })).toBe(true);
      expect(await documents.load(key)).toEqual({ version: 1, data: 'one' });
      expect([await store.load(key), await store.lookUp(key), await postgres.effectsOf(key)]).toEqual([
        undefined,
        undefined,
        0,
      ]);
      return 'result';
    });
    expect(result).toBe('result');
    expect([await store.load(key), await store.lookUp(key), await postgres.effectsOf(key)]).toEqual([
      { version: 1, data: 'one' },
      key,
      1,
    ]);
  });

  it('rolls both back if the function rejects', async () => {
    const [{ store }, key] = [open(), freshKey()];
    const failing = store.transaction(async (client, documents) => {
      await addEffect(client, key);
      await documents.save(key, 0, 'one', { references: [key], wakeAt: 1 });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([await store.load(key), await store.lookUp(key), await postgres.effectsOf(key)]).toEqual([
      undefined,
      undefined,
      0,
    ]);
  });

  it('keeps what it loaded for itself until its end', async () => {
    const [{ store }, key] = [open(), freshKey()];
    await store.save(key, 0, 'one', never);
    const other = await postgres.connect();
    let second: Promise<unknown> = Promise.resolve();
    await store.transaction(async (_client, documents) => {
      const loaded = await documents.load(key);
      second = other.client.query('SELECT payments_claims_save($1, 1, $2, NULL, $3, $4) AS answer', [
        key,
        'other',
        '[]',
        'token',
      ]);
      await other.untilBlocked();
      expect(await documents.save(key, loaded?.version ?? 0, 'two', never)).toBe(true);
    });
    expect(await second).toMatchObject({ rows: [{ answer: 'lost' }] });
    expect(await store.load(key)).toEqual({ version: 2, data: 'two' });
  });

  it('is at READ COMMITTED, whatever the default of the pool', async () => {
    const { store } = open({ options: '-c default_transaction_isolation=serializable' });
    const key = freshKey();
    const levels = await store.transaction(async (client, documents) => {
      await documents.save(key, 0, 'x', never);
      return (await client.query('SHOW transaction_isolation', [])).rows;
    });
    expect(levels).toEqual([{ transaction_isolation: 'read committed' }]);
  });

  it('goes on after STORE_REFERENCE_TAKEN, with nothing of that save', async () => {
    const [{ store }, key, other] = [open(), freshKey(), freshKey()];
    await store.save(other, 0, 'x', { references: [other], ...never });
    await store.transaction(async (client, documents) => {
      await addEffect(client, key);
      const saving = documents.save(key, 0, 'one', { references: [`${key} new`, other], ...never });
      expect(await failureOf(saving, PaymentsError)).toMatchObject({ code: 'STORE_REFERENCE_TAKEN' });
      expect(await documents.save(key, 0, 'two', never)).toBe(true);
    });
    expect([await store.load(key), await store.lookUp(`${key} new`), await postgres.effectsOf(key)]).toEqual([
      { version: 1, data: 'two' },
      undefined,
      1,
    ]);
  });

  it('is an error if a failed statement inside was hidden, and nothing of it remains', async () => {
    const [{ store, pool }, key] = [open({ max: 1 }), freshKey()];
    const failing = store.transaction(async (client, documents) => {
      await documents.save(key, 0, 'one', never);
      await client.query('SELECT 1 / 0', []).catch(() => undefined);
      return 'as if nothing had happened';
    });
    const { message } = await failureOf(failing, ConfigurationError);
    expect(message).toContain('PostgreSQL rolled the transaction back');
    expect(await store.load(key)).toBeUndefined();
    expect(pool.totalCount).toBe(1);
  });

  it('returns its connection without an open transaction, whatever happened', async () => {
    const [{ store, pool }, key] = [open({ max: 1 }), freshKey()];
    const runs: Parameters<PostgresStore['transaction']>[0][] = [
      async () => 1,
      async () => Promise.reject(new Error('no')),
      async (client) => client.query('SELECT 1 / 0', []),
      async (client) => client.query('SELECT 1 / 0', []).catch(() => undefined),
      async (client) => client.query('COMMIT', []),
    ];
    for (const run of runs) {
      await store.transaction(run).catch(() => undefined);
      const { rows } = await pool.query('SELECT now() = statement_timestamp() AS is_free');
      expect(rows).toEqual([{ is_free: true }]);
      expect(pool.idleCount).toBe(1);
    }
    expect(await store.save(key, 0, 'x', never)).toBe(true);
  });

  it('leaves nothing if its connection breaks between save and commit, and the process goes on', async () => {
    const [{ store, pool }, key] = [open({ max: 1 }), freshKey()];
    const failing = store.transaction(async (client, documents) => {
      await documents.save(key, 0, 'one', { references: [key], wakeAt: 1 });
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid', []);
      await postgres.pool().query('SELECT pg_terminate_backend($1)', [rows[0]?.['pid']]);
      // Until the connection has noticed: the function sends nothing meanwhile.
      while (!(client as unknown as { _ended: boolean })._ended) await new Promise(setImmediate);
    });
    await expect(failing).rejects.toThrow(Error);
    expect([await store.load(key), await store.lookUp(key)]).toEqual([undefined, undefined]);
    expect(await store.due({ space: key, until: 9, limit: 9 })).toEqual([]);
    expect(pool.totalCount).toBe(1);
  });

  it('fails with STORE_TIMEOUT if no connection is free, and the pool works afterwards', async () => {
    const { store, pool } = open({ max: 1, timeout: 100 });
    const taken = await pool.connect();
    let isRun = false;
    const failing = store.transaction(async () => {
      isRun = true;
    });
    expect(await failureOf(failing, PaymentsError)).toMatchObject({ code: 'STORE_TIMEOUT' });
    taken.release();
    const [key] = [freshKey()];
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(await store.save(key, 0, 'x', never)).toBe(true);
    expect([isRun, pool.totalCount, pool.idleCount]).toEqual([false, 1, 1]);
  });

  it('says to migrate if there are no tables', async () => {
    const { connection } = await postgres.createTimed();
    const { store } = open(connection);
    const failing = store.transaction((_client, documents) => documents.save('a', 0, 'x', never));
    expect((await failureOf(failing, ConfigurationError)).message).toContain('store.migrate()');
  });

  it('ends one of two that save in opposite orders, and the other commits', async () => {
    const [{ store }, one, two] = [open(), freshKey(), freshKey()];
    for (const key of [one, two]) await store.save(key, 0, 'x', never);
    let arrived = 0;
    let meet = () => {};
    const both = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const saveBoth = (keys: readonly [string, string]) =>
      store.transaction(async (_client, documents) => {
        expect(await documents.save(keys[0], 1, `first of ${keys[0]}`, never)).toBe(true);
        arrived += 1;
        if (arrived === 2) meet();
        await both;
        return documents.save(keys[1], 1, `second of ${keys[0]}`, never);
      });
    const outcomes = await Promise.all([saveBoth([one, two]), saveBoth([two, one])].map(outcomeOf));
    expect(outcomes.map(String).toSorted()).toEqual(['40P01', 'true']);
    expect([(await store.load(one))?.version, (await store.load(two))?.version]).toEqual([2, 2]);
  });
});

describe('a transaction of PGlite', () => {
  it('commits, rolls back, and is an error if a failed statement was hidden', async () => {
    const db = await emptyPglite();
    const store = postgresStore(db, { timeout: 5000 });
    await store.migrate();
    await db.exec('CREATE TABLE effects (key text)');
    const saveWith = (key: string, end: (client: { query: pg.Client['query'] }) => unknown) =>
      store.transaction(async (client, documents) => {
        await client.query('INSERT INTO effects VALUES ($1)', [key]);
        await documents.save(key, 0, 'x', never);
        await end(client as unknown as pg.Client);
      });
    await saveWith('committed', () => undefined);
    await expect(saveWith('thrown', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const hidden = saveWith('hidden', (client) => client.query('SELECT 1 / 0', []).catch(() => undefined));
    await failureOf(hidden, ConfigurationError);
    expect((await db.query('SELECT key FROM effects')).rows).toEqual([{ key: 'committed' }]);
    expect(await store.load('committed')).toEqual({ version: 1, data: 'x' });
    expect([await store.load('thrown'), await store.load('hidden')]).toEqual([undefined, undefined]);
  });
});
