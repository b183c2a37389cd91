import { ConfigurationError } from 'payments-client';
import { type PostgresClient, type PostgresStore, postgresStore, type Store } from 'payments-client/stores';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { describeStore } from './contract.ts';
import { transactWith } from './documents.ts';
import { addEffect, bucketsIn, outcomeOf, setClock, usePostgres } from './postgres/database.ts';
import { claimOf, freshKey, handle, long, start } from './time.ts';

const postgres = usePostgres('postgres');
const { isSkipped, why } = postgres;

/** The longest, since 4 MiB may take a busy machine a while. */
const timeout = 5000;

/** Runs the contract in a database of its own, with clients of the test. */
function describePools(
  name: string,
  open: (pool: (options?: string) => pg.Pool) => { stores: [PostgresStore, ...Store[]]; resending?: Store },
): void {
  describeStore(`PostgreSQL, by ${name}${why}`, isSkipped, async () => {
    const { connection, admin } = await postgres.createTimed();
    const pools: pg.Pool[] = [];
    const opened = open((options = '') => {
      const pool = new pg.Pool({ ...connection, options, max: 8 });
      pools.push(pool);
      return pool;
    });
    const [store] = opened.stores;
    await store.migrate();
    return {
      ...opened,
      transact: transactWith(store),
      isServer: true,
      setTime: (now) => setClock(admin, now),
      bucketsOf: (key) => bucketsIn(admin, key),
      purge: () => store.purge(),
      kept: async (key) => {
        await store.purge();
        return (await admin.query('SELECT 1 FROM payments_claims WHERE key = $1', [key])).rows.length === 1;
      },
      close: () => Promise.all(pools.map((pool) => pool.end())),
    };
  });
}

describePools('a pool of pg', (open) => {
  const pool = open();
  const resending: PostgresClient = {
    async query(text, values) {
      await pool.query(text, values);
      return pool.query(text, values);
    },
  };
  const stores: [PostgresStore, Store] = [postgresStore(pool, { timeout }), postgresStore(pool, { timeout })];
  return { stores, resending: postgresStore(resending, { timeout }) };
});

describePools('pools in READ COMMITTED and SERIALIZABLE', (open) => {
  const serializable = open('-c default_transaction_isolation=serializable');
  return {
    stores: [postgresStore(open(), { timeout }), retrying(postgresStore(serializable, { timeout }))],
  };
});

/** SERIALIZABLE reports an error where READ COMMITTED waits, so its users must retry. */
function retrying(store: PostgresStore): Store {
  const retry =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      for (;;) {
        try {
          return await run(...args);
        } catch (error) {
          if (!(error instanceof pg.DatabaseError && error.code === '40001')) throw error;
        }
      }
    };
  return {
    claim: retry(store.claim),
    renew: retry(store.renew),
    complete: retry(store.complete),
    release: retry(store.release),
    find: retry(store.find),
    open: retry(store.open),
    scan: retry(store.scan),
    replace: retry(store.replace),
    check: retry(store.check),
    advance: retry(store.advance),
    load: retry(store.load),
    save: retry(store.save),
    lookUp: retry(store.lookUp),
    due: retry(store.due),
  };
}

type Connected = Awaited<ReturnType<typeof postgres.connect>>;

describe.skipIf(isSkipped)(`a transaction that the store joins${why}`, () => {
  let timed: Awaited<ReturnType<typeof postgres.createTimed>>;
  let store: PostgresStore;
  let client: pg.Client;
  let other: Connected;
  let now = start;
  const pass = (ms: number) => setClock(timed.admin, (now += ms));

  beforeAll(async () => {
    if (isSkipped) return;
    timed = await postgres.createTimed();
    store = postgresStore(timed.admin);
    await store.migrate();
    await timed.admin.query('CREATE TABLE effects (key text)');
  });
  beforeEach(async () => {
    client = (await postgres.connect(timed.connection)).client;
    other = await postgres.connect(timed.connection);
  });

  const effectsOf = async (key: string) =>
    (await timed.admin.query('SELECT 1 FROM effects WHERE key = $1', [key])).rows.length;
  /** Returns what a claim finds, without its token. */
  const statusOf = async (claim: ReturnType<Store['claim']>) => {
    const found = await claim;
    return found.status === 'claimed' ? `claimed ${found.attempt}` : found.status;
  };
  /** Returns when the lease of a key ends, after `now`. */
  const leaseOf = async (key: string) => {
    const found = await store.claim(key, 1);
    return found.status === 'in_progress' ? found.retryAfter : found.status;
  };
  const claimLapsed = async (key: string) => {
    const { token } = claimOf(await store.claim(key, 1));
    await pass(1);
    return token;
  };

  it.each([
    ['COMMIT', 'completed', 2, 1],
    ['ROLLBACK', 'claimed 1', 1, 0],
  ])('keeps claim, completion, snapshot and effect, or none: %s', async (end, status, version, effects) => {
    const key = freshKey();
    await client.query('BEGIN');
    const { token } = claimOf(await store.claim(key, long, { client }));
    await addEffect(client, key);
    expect(await store.complete(key, token, long, { client })).toBe(true);
    expect((await store.advance(key, 2, 'second', { client })).current).toEqual({
      version: 2,
      data: 'second',
    });
    const { rows } = await timed.admin.query('SELECT key FROM payments_claims WHERE key = $1', [key]);
    expect([rows, await effectsOf(key)]).toEqual([[], 0]);
    await client.query(end);
    expect(await statusOf(store.claim(key, long))).toBe(status);
    expect([(await store.advance(key, 1, 'first')).current.version, await effectsOf(key)]).toEqual([
      version,
      effects,
    ]);
  });

  it.each([
    ['COMMIT', 'claimed 2', 'yes'],
    ['ROLLBACK', 'in_progress', 'no'],
  ])('keeps a release, a renewal, or none: %s', async (end, status, isRenewed) => {
    const [key, renewed] = [freshKey(), freshKey()];
    for (const each of [key, renewed]) await store.claim(each, 10, { token: 'mine' });
    await client.query('BEGIN');
    await store.release(key, 'mine', { client });
    await store.renew(renewed, 'mine', 20, { client });
    await client.query(end);
    expect(await statusOf(store.claim(key, long))).toBe(status);
    expect(await leaseOf(renewed)).toBe(isRenewed === 'yes' ? 20 : 10);
  });

  it('completes nothing if another claim took over', async () => {
    const key = freshKey();
    const token = await claimLapsed(key);
    claimOf(await store.claim(key, long));
    await client.query('BEGIN');
    expect(await store.complete(key, token, long, { client })).toBe(false);
    await client.query('ROLLBACK');
  });

  it.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])('works at %s', async (level) => {
    const key = freshKey();
    await client.query(`BEGIN ISOLATION LEVEL ${level}`);
    const { token } = claimOf(await store.claim(key, long, { client }));
    expect(await store.claim(key, long, { client })).toMatchObject({ status: 'in_progress' });
    expect(await store.complete(key, token, long, { client })).toBe(true);
    expect(await store.claim(key, long, { client })).toEqual({ status: 'completed' });
    await client.query('COMMIT');
    expect(await store.claim(key, long)).toEqual({ status: 'completed' });
  });

  /** What the first transaction does with the key, and what a duplicate then gets after its COMMIT and its ROLLBACK. */
  const holders: readonly [
    what: string,
    hold: (key: string) => Promise<unknown>,
    commit: string,
    rollback: string,
  ][] = [
    ['claims a new key', (key) => store.claim(key, long, { client }), 'in_progress', 'claimed 1'],
    ['records a new key', (key) => store.record(key, long, { client }), 'completed', 'claimed 1'],
    [
      'completes a key whose lease has expired',
      async (key) => {
        const token = await claimLapsed(key);
        await client.query('ROLLBACK; BEGIN');
        expect(await store.complete(key, token, long, { client })).toBe(true);
      },
      'completed',
      'claimed 2',
    ],
  ];
  const duplicates = {
    claim: (key: string, used: pg.Client) => store.claim(key, 50, { client: used }),
    record: (key: string, used: pg.Client) => store.record(key, long, { client: used }),
  };

  describe.each(holders)('that %s', (_what, hold, commit, rollback) => {
    it.each([
      ['COMMIT', 'claim', ''],
      ['COMMIT', 'claim', 'BEGIN'],
      ['COMMIT', 'record', 'BEGIN'],
      ['ROLLBACK', 'claim', ''],
      ['ROLLBACK', 'record', 'BEGIN'],
    ] as const)('makes a duplicate wait for its %s: %s after "%s"', async (end, method, begin) => {
      const key = freshKey();
      await client.query('BEGIN');
      await hold(key);
      await other.client.query(begin);
      const duplicate = duplicates[method](key, other.client);
      await other.untilBlocked();
      // A lease that began before the wait would be over.
      await pass(100);
      await client.query(end);
      expect(await statusOf(duplicate)).toBe(end === 'COMMIT' ? commit : rollback);
      if (begin !== '') await other.client.query('COMMIT');
      if (end === 'ROLLBACK') expect(await leaseOf(key)).toBe(method === 'claim' ? 50 : 'completed');
    });
  });

  it('makes a snapshot wait', async () => {
    const key = freshKey();
    await client.query('BEGIN');
    await store.advance(key, 2, 'second', { client });
    const older = store.advance(key, 1, 'first', { client: other.client });
    await other.untilBlocked();
    await client.query('COMMIT');
    const kept = { version: 2, data: 'second' };
    expect(await older).toEqual({ advanced: false, current: kept, previous: kept });
  });

  it('grants nothing to a waiting duplicate whose expired lease another claim took over', async () => {
    const key = freshKey();
    await client.query('BEGIN');
    await store.claim(key, long, { client });
    // It claims the key with a lease that is over after its wait, and a third claims the key before the renewal.
    const overtaken: PostgresClient = {
      query: async (text, values) => {
        if (text.includes('SET expires_at = clock_timestamp() +')) await store.claim(key, long);
        return await other.client.query(text, values);
      },
    };
    const duplicate = store.claim(key, 1, { client: overtaken });
    await other.untilBlocked();
    await pass(10);
    await client.query('ROLLBACK');
    expect(await duplicate).toMatchObject({ status: 'in_progress', retryAfter: long });
  });

  it('limits the wait of a claim by lock_timeout', async () => {
    const key = freshKey();
    await client.query('BEGIN');
    await store.claim(key, long, { client });
    await other.client.query(`SET lock_timeout = '1ms'`);
    expect(await outcomeOf(store.claim(key, long, { client: other.client }))).toBe('55P03');
    await client.query('ROLLBACK');
  });

  it.each(['REPEATABLE READ', 'SERIALIZABLE'])(
    'at %s refuses what others changed since it began',
    async (level) => {
      const [key, lapsed, waited] = [freshKey(), freshKey(), freshKey()];
      const token = await claimLapsed(lapsed);
      /** The transaction does not see later commits. */
      const begin = async () => {
        await client.query(`BEGIN ISOLATION LEVEL ${level}`);
        await client.query('SELECT 1 FROM effects');
      };
      await begin();
      await handle(store, key, long);
      expect(await outcomeOf(store.claim(key, long, { client }))).toBe('40001');
      await client.query('ROLLBACK');
      await begin();
      expect(await store.claim(key, long, { client })).toEqual({ status: 'completed' });
      await client.query('COMMIT');
      await begin();
      claimOf(await store.claim(lapsed, long));
      expect(await outcomeOf(store.complete(lapsed, token, long, { client }))).toBe('40001');
      await client.query('ROLLBACK');
      await begin();
      await other.client.query('BEGIN');
      await store.record(waited, long, { client: other.client });
      const duplicate = outcomeOf(store.record(waited, long, { client }));
      await other.client.query('COMMIT');
      expect(await duplicate).toBe('40001');
      await client.query('ROLLBACK');
    },
  );

  it('refuses a connection without query, before any statement of the transaction', async () => {
    for (const [method, call] of [
      ['claim', (given: never) => store.claim('evt', long, { client: given })],
      ['renew', (given: never) => store.renew('evt', 'token', long, { client: given })],
      ['complete', (given: never) => store.complete('evt', 'token', long, { client: given })],
      ['release', (given: never) => store.release('evt', 'token', { client: given })],
      ['advance', (given: never) => store.advance('evt', 1, 'a', { client: given })],
      ['record', (given: never) => store.record('evt', long, { client: given })],
    ] as const)
      for (const given of [null, {}, 5]) {
        const { issues } = await failureOf(call(anything(given)), ConfigurationError);
        expect(issues).toMatchObject([{ path: `${method}.client` }]);
      }
    await client.query('BEGIN');
    await failureOf(store.claim('evt\0', long, { client }), ConfigurationError);
    expect(await store.claim(freshKey(), long, { client })).toMatchObject({ status: 'claimed' });
    await client.query('COMMIT');
  });
});

describe.skipIf(isSkipped)(`a statement that meets another${why}`, () => {
  const pool = () => postgres.pool();
  beforeAll(async () => {
    if (!isSkipped) await postgresStore(pool()).migrate();
  });

  it('is repeated on the pool if PostgreSQL cannot serialize it, up to 5 times', async () => {
    const claimAfter = (failures: number) => {
      let left = failures;
      const query: PostgresClient['query'] = (text, values) => {
        left -= 1;
        if (left < 0) return pool().query(text, values);
        return Promise.reject(Object.assign(new Error('could not serialize access'), { code: '40001' }));
      };
      return postgresStore({ query }).claim(freshKey(), long);
    };
    await expect(claimAfter(4)).resolves.toMatchObject({ status: 'claimed' });
    await expect(claimAfter(5)).rejects.toMatchObject({ code: '40001' });
  });

  /** Changes the record each time before the store reads it. */
  const changing = (change: () => Promise<unknown>): PostgresClient => ({
    query: async (text, values) => {
      if (text.trimStart().startsWith('SELECT') && !text.includes('is_server')) await change();
      return await pool().query(text, values);
    },
  });
  const remove = (key: string) => pool().query('DELETE FROM payments_claims WHERE key = $1', [key]);
  const expire = (key: string) =>
    pool().query('UPDATE payments_claims SET expires_at = now() WHERE key = $1', [key]);
  const refuse = (key: string) =>
    postgresStore(pool()).release(key, 'mine', { data: 'refused', retention: long });

  it.each([
    ['is deleted', remove, { attempt: 1, data: undefined }],
    ['expires', expire, { attempt: 2, data: 'sent' }],
    ['is released with a retention', refuse, { attempt: 2, data: 'refused' }],
  ])('claims a record that %s before it is read', async (_what, change, claim) => {
    const key = freshKey();
    await postgresStore(pool()).claim(key, long, { data: 'sent', token: 'mine' });
    const store = postgresStore(changing(() => change(key)));
    expect(await store.claim(key, long)).toMatchObject({ status: 'claimed', ...claim });
  });

  it('records a key whose record is deleted before it is read', async () => {
    const key = freshKey();
    await handle(postgresStore(pool()), key, long);
    const client = changing(() => remove(key));
    expect(await postgresStore(pool()).record(key, long, { client })).toMatchObject({ attempt: 1 });
  });

  it('advances a snapshot that is deleted before it is read', async () => {
    const key = freshKey();
    await postgresStore(pool()).advance(key, 2, 'second');
    const deleting = changing(() => pool().query('DELETE FROM payments_claims_snapshots'));
    expect(await postgresStore(deleting).advance(key, 3, 'third')).toMatchObject({
      advanced: true,
      current: { version: 3, data: 'third' },
    });
  });

  it('reports a key that others claim and delete each time as in progress', async () => {
    const key = freshKey();
    let reads = 0;
    const deleting = changing(() => {
      reads += 1;
      return remove(key);
    });
    const client: PostgresClient = {
      query: async (text, values) => {
        if (text.includes('INSERT')) await postgresStore(pool()).claim(key, long);
        return await deleting.query(text, values);
      },
    };
    expect(await postgresStore(client).claim(key, long)).toEqual({ status: 'in_progress', retryAfter: 1 });
    expect(reads).toBe(3);
  });
});
