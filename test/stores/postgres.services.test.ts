import { ConfigurationError } from 'payments-client';
import type { PostgresClient } from 'payments-client/stores';
import { type PostgresStore, postgresStore } from 'payments-client/stores';
import { createTestClient } from 'payments-client-sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { skipWithout } from '../support/skip.ts';
import { openAt, takeBack } from '../support/stores.ts';
import { describeStore } from './contract.ts';
import { entryOf } from './counted-attempts.ts';
import { claimOf, freshKey, long, untilExpired } from './time.ts';
import { describeVelocityClock } from './velocity-clock.ts';
import { describeVelocityTime } from './velocity-time.ts';

const { isSkipped, why } = skipWithout(hasPostgres(), 'PostgreSQL', 'test/stores/postgres.services.test.ts');

/** The longest, since 4 MiB may take a busy machine a while. */
const timeout = 5000;

let server: PostgresServer | undefined;
let pool: pg.Pool;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  if (isSkipped) return;
  server = await startPostgresServer();
  pool = new pg.Pool({ ...server.connection, max: 10 });
  await pool.query(postgresStore(pool).schema);
  await pool.query('CREATE TABLE effects (key text)');
}, 60_000);
afterAll(async () => {
  for (const end of ends) await end();
  await pool?.end();
  await server?.stop();
});

/** Opens a separate connection, as for a merchant's transaction. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ ...server?.connection });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describeStore(`PostgreSQL, by a pool of pg${why}`, isSkipped, async () => {
  const store = postgresStore(pool, { timeout });
  const purge = () => store.purge();
  const resendingPool: PostgresClient = {
    async query(text, values) {
      await pool.query(text, values);
      return pool.query(text, values);
    },
  };
  const resending = postgresStore(resendingPool, { timeout });
  return {
    stores: [store, postgresStore(pool, { timeout }), postgresStore(pool, { timeout })],
    resending,
    purge,
    close: async () => {},
  };
});

describeStore(`PostgreSQL, by pools in READ COMMITTED and SERIALIZABLE${why}`, isSkipped, async () => {
  const options = '-c default_transaction_isolation=serializable';
  const serializable = new pg.Pool({ ...server?.connection, options, max: 4 });
  const table = 'beside_serializable';
  const store = postgresStore(pool, { table, timeout });
  await pool.query(store.schema);
  return {
    stores: [store, retrying(postgresStore(serializable, { table, timeout }))],
    purge: () => store.purge(),
    close: () => serializable.end(),
  };
});

describeVelocityClock(`PostgreSQL${why}`, isSkipped, async () => postgresStore(pool));

describeVelocityTime(`PostgreSQL${why}`, isSkipped, async () => {
  const table = 'at_any_time';
  await pool.query(postgresStore(pool, { table }).schema);
  // A function of this name shadows the built-in one of the database.
  await pool.query(`CREATE SCHEMA clock; CREATE TABLE clock.present (at timestamptz); INSERT INTO clock.present VALUES (now());
    CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT at FROM clock.present'`);
  const options = '-c search_path=clock,pg_catalog,public';
  const timed = new pg.Pool({ ...server?.connection, options, max: 2 });
  ends.push(() => timed.end());
  return {
    store: postgresStore(timed, { table }),
    setTime: async (now) =>
      void (await pool.query('UPDATE clock.present SET at = to_timestamp($1::float8 / 1000)', [now])),
    bucketsOf: async (key) => {
      const keys = 'SELECT count(*) FROM jsonb_object_keys(counted)';
      const { rows } = await pool.query(`SELECT (${keys}) AS count FROM ${table}_velocity WHERE key = $1`, [
        key,
      ]);
      return Number(rows[0]?.count);
    },
  };
});

/** SERIALIZABLE reports an error where READ COMMITTED waits, so its users must retry. */
function retrying(store: PostgresStore): PostgresStore {
  const retry = async <Result>(operation: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await operation();
      } catch (error) {
        if (codeOf(error) !== '40001') throw error;
      }
    }
  };
  return {
    claim: (...args) => retry(() => store.claim(...args)),
    renew: (...args) => retry(() => store.renew(...args)),
    complete: (...args) => retry(() => store.complete(...args)),
    release: (...args) => retry(() => store.release(...args)),
    record: (...args) => retry(() => store.record(...args)),
    open: (...args) => retry(() => store.open(...args)),
    check: (...args) => retry(() => store.check(...args)),
    advance: (...args) => retry(() => store.advance(...args)),
    schema: store.schema,
    migrate: () => store.migrate(),
    purge: () => retry(() => store.purge()),
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Returns the value of a promise, or the code of the database's error. */
const outcomeOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => codeOf(error) ?? error);

/** Waits until a connection waits for a lock. The database reports it, so no sleep is needed. */
async function untilBlocked(client: pg.Client): Promise<void> {
  const { rows } = await pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
    [nameOf(client)],
  );
  if (rows.length === 0) await untilBlocked(client);
}

const names = new WeakMap<pg.Client, string>();
const nameOf = (client: pg.Client) => names.get(client) ?? '';

/** Opens a connection whose waits are visible. */
async function connectNamed(): Promise<pg.Client> {
  const client = await connect();
  names.set(client, freshKey());
  await client.query(`SET application_name = '${nameOf(client)}'`);
  return client;
}

async function clockOf(client: PostgresClient): Promise<number> {
  const { rows } = await client.query(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    [],
  );
  return Number(rows[0]?.['now']);
}

async function recordOf(key: string): Promise<Record<string, unknown>> {
  const { rows } = await pool.query(
    'SELECT *, extract(epoch FROM expires_at)::float8 * 1000 AS until FROM payments_claims WHERE key = $1',
    [key],
  );
  return rows[0];
}

const effectsOf = async (key: string) =>
  (await pool.query('SELECT key FROM effects WHERE key = $1', [key])).rows.length;

const addEffect = (client: pg.Client, key: string) => client.query('INSERT INTO effects VALUES ($1)', [key]);

describe.skipIf(isSkipped)(`a transaction that the store joins${why}`, () => {
  let store: PostgresStore;
  let client: pg.Client;
  let other: pg.Client;
  beforeEach(async () => {
    store = postgresStore(pool);
    client = await connectNamed();
    other = await connectNamed();
  });

  it('commits the effect and the record together', async () => {
    const key = freshKey();
    await client.query('BEGIN');
    const { token } = claimOf(await store.claim(key, long, { client }));
    await addEffect(client, key);
    expect(await store.complete(key, token, long, { client })).toBe(true);
    expect([await recordOf(key), await effectsOf(key)]).toEqual([undefined, 0]);
    await client.query('COMMIT');
    expect(await effectsOf(key)).toBe(1);
    expect(await store.claim(key, long)).toEqual({ status: 'completed' });
  });

  it('rolls both back, and the claim within it', async () => {
    const key = freshKey();
    await client.query('BEGIN');
    const { token } = claimOf(await store.claim(key, long, { client }));
    await addEffect(client, key);
    await store.complete(key, token, long, { client });
    await client.query('ROLLBACK');
    expect(await effectsOf(key)).toBe(0);
    expect(await store.complete(key, token, long)).toBe(false);
    expect(await store.claim(key, long)).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it('releases within it', async () => {
    const key = freshKey();
    const { token } = claimOf(await store.claim(key, long));
    await client.query('BEGIN');
    await store.release(key, token, { client });
    await client.query('ROLLBACK');
    expect(await store.claim(key, long)).toMatchObject({ status: 'in_progress' });
    await client.query('BEGIN');
    await store.release(key, token, { client });
    await client.query('COMMIT');
    expect(await store.claim(key, long)).toMatchObject({ status: 'claimed', attempt: 2 });
  });

  it('returns false if another claim took over', async () => {
    const key = freshKey();
    const { token } = claimOf(await store.claim(key, 1));
    await untilExpired(store);
    claimOf(await store.claim(key, long));
    await client.query('BEGIN');
    await addEffect(client, key);
    expect(await store.complete(key, token, long, { client })).toBe(false);
    await client.query('ROLLBACK');
    expect(await effectsOf(key)).toBe(0);
  });

  it.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])('works at %s', async (level) => {
    const key = freshKey();
    await client.query(`BEGIN ISOLATION LEVEL ${level}`);
    const { token } = claimOf(await store.claim(key, long, { client }));
    expect(await store.claim(key, long, { client })).toMatchObject({ status: 'in_progress' });
    expect(await store.complete(key, token, long, { client })).toBe(true);
    expect(await store.claim(key, long, { client })).toEqual({ status: 'completed' });
    await client.query('COMMIT');
    await client.query(`BEGIN ISOLATION LEVEL ${level}`);
    expect(await store.claim(key, long, { client })).toEqual({ status: 'completed' });
    await client.query('COMMIT');
  });

  it.each([
    ['outside a transaction', ''],
    ['inside another transaction', 'BEGIN'],
  ])('makes a duplicate %s wait for the commit, and then return completed', async (_where, begin) => {
    const key = freshKey();
    await client.query('BEGIN');
    const { token } = claimOf(await store.claim(key, 1, { client }));
    await store.complete(key, token, long, { client });
    await other.query(begin);
    const duplicate = store.claim(key, long, { client: other });
    await untilBlocked(other);
    await client.query('COMMIT');
    expect(await duplicate).toEqual({ status: 'completed' });
  });

  it('grants a waiting duplicate its whole lease after a rollback', async () => {
    const key = freshKey();
    const lease = 50;
    await client.query('BEGIN');
    await store.claim(key, long, { client });
    const duplicate = store.claim(key, lease, { client: other });
    await untilBlocked(other);
    // The lease would have expired by now if it had started before the wait.
    const began = await clockOf(pool);
    while ((await clockOf(pool)) < began + 2 * lease);
    const ended = await clockOf(pool);
    await client.query('ROLLBACK');
    const { attempt } = claimOf(await duplicate);
    expect(attempt).toBe(1);
    expect((await recordOf(key))['until']).toBeGreaterThanOrEqual(ended + lease);
  });

  it('grants nothing to a waiting duplicate whose expired lease another claim took over', async () => {
    const key = freshKey();
    await client.query('BEGIN');
    await store.claim(key, long, { client });
    // It claims the key with a lease that expires immediately, and a third claims the key before the renewal.
    const overtaken: PostgresClient = {
      query: async (text, values) => {
        if (text.includes('SET expires_at = clock_timestamp() +')) await store.claim(key, long);
        return await other.query(text, values);
      },
    };
    const duplicate = store.claim(key, 1, { client: overtaken });
    await untilBlocked(other);
    const began = await clockOf(pool);
    while ((await clockOf(pool)) < began + 10);
    await client.query('ROLLBACK');
    expect(await duplicate).toMatchObject({ status: 'in_progress' });
    expect(await recordOf(key)).toMatchObject({ attempt: 2 });
  });

  it('commits its completion despite a duplicate, even if the lease has expired', async () => {
    const key = freshKey();
    const { token } = claimOf(await store.claim(key, 1));
    await untilExpired(store);
    await client.query('BEGIN');
    expect(await store.complete(key, token, long, { client })).toBe(true);
    const duplicate = store.claim(key, long, { client: other });
    await untilBlocked(other);
    await client.query('COMMIT');
    expect(await duplicate).toEqual({ status: 'completed' });
  });

  it('grants the key to a duplicate if it rolls back after the lease expired', async () => {
    const key = freshKey();
    const { token } = claimOf(await store.claim(key, 1));
    await untilExpired(store);
    await client.query('BEGIN');
    await store.complete(key, token, long, { client });
    const duplicate = store.claim(key, long, { client: other });
    await untilBlocked(other);
    const ended = await clockOf(pool);
    await client.query('ROLLBACK');
    expect(await duplicate).toMatchObject({ status: 'claimed', attempt: 2 });
    expect((await recordOf(key))['until']).toBeGreaterThanOrEqual(ended + long);
  });

  it('limits the wait by lock_timeout', async () => {
    const key = freshKey();
    await client.query('BEGIN');
    await store.claim(key, long, { client });
    await other.query(`SET lock_timeout = '1ms'`);
    expect(await outcomeOf(store.claim(key, long, { client: other }))).toBe('55P03');
    await client.query('ROLLBACK');
  });

  describe.each(['REPEATABLE READ', 'SERIALIZABLE'])('at %s', (level) => {
    /** The transaction does not see later commits. */
    const begin = async () => {
      await client.query(`BEGIN ISOLATION LEVEL ${level}`);
      await effectsOf('');
      await client.query('SELECT 1 FROM effects');
    };

    it('refuses a claim of a key completed since it began, and sees it after a retry', async () => {
      const key = freshKey();
      await begin();
      const { token } = claimOf(await store.claim(key, long));
      await store.complete(key, token, long);
      expect(await outcomeOf(store.claim(key, long, { client }))).toBe('40001');
      await client.query('ROLLBACK');
      await begin();
      expect(await store.claim(key, long, { client })).toEqual({ status: 'completed' });
      await client.query('COMMIT');
    });

    it('refuses a claim that waited for a committed one', async () => {
      const key = freshKey();
      await other.query('BEGIN');
      const { token } = claimOf(await store.claim(key, long, { client: other }));
      await store.complete(key, token, long, { client: other });
      await begin();
      const duplicate = outcomeOf(store.claim(key, long, { client }));
      await untilBlocked(client);
      await other.query('COMMIT');
      expect(await duplicate).toBe('40001');
      await client.query('ROLLBACK');
    });

    it('refuses to complete a claim that another took over since it began', async () => {
      const key = freshKey();
      const { token } = claimOf(await store.claim(key, 1));
      await untilExpired(store);
      await begin();
      claimOf(await store.claim(key, long));
      expect(await outcomeOf(store.complete(key, token, long, { client }))).toBe('40001');
      await client.query('ROLLBACK');
    });
  });

  it('repeats a statement on the pool that PostgreSQL cannot serialize, up to 5 times', async () => {
    const claimAfter = (failures: number) => {
      let left = failures;
      const query: PostgresClient['query'] = (text, values) => {
        left -= 1;
        if (left < 0) return pool.query(text, values);
        return Promise.reject(Object.assign(new Error('could not serialize access'), { code: '40001' }));
      };
      return postgresStore({ query }).claim(freshKey(), long);
    };
    await expect(claimAfter(4)).resolves.toMatchObject({ status: 'claimed' });
    await expect(claimAfter(5)).rejects.toMatchObject({ code: '40001' });
  });

  it('refuses a connection without query', async () => {
    // @ts-expect-error: an invalid argument
    await expect(store.claim('evt', long, { client: null })).rejects.toThrow(
      'claim.client: expected an object with query(text, values), got null. Pass a Pool or a Client of pg, or a PGlite.',
    );
    // @ts-expect-error: an invalid argument
    await expect(store.complete('evt', 'token', long, { client: {} })).rejects.toThrow(/^complete\.client/);
    // @ts-expect-error: an invalid argument
    await expect(store.release('evt', 'token', { client: 5 })).rejects.toThrow(/^release\.client/);
  });

  it('stays usable after a wrong argument, because no statement was sent', async () => {
    await client.query('BEGIN');
    await expect(store.claim('evt\0', long, { client })).rejects.toThrow(ConfigurationError);
    expect(await store.claim(freshKey(), long, { client })).toMatchObject({ status: 'claimed' });
    await client.query('COMMIT');
  });
});

describe.skipIf(isSkipped)(`a record that changes while it is claimed${why}`, () => {
  /** Changes the record each time before the store reads it. */
  const changing = (change: () => Promise<unknown>): PostgresClient => ({
    query: async (text, values) => {
      if (text.trimStart().startsWith('SELECT')) await change();
      return await pool.query(text, values);
    },
  });
  const remove = (key: string) => pool.query('DELETE FROM payments_claims WHERE key = $1', [key]);
  const expire = (key: string) =>
    pool.query('UPDATE payments_claims SET expires_at = now() WHERE key = $1', [key]);
  const refuse = (key: string, token: string) =>
    postgresStore(pool).release(key, token, { data: 'refused', retention: long });

  it.each([
    ['is deleted', remove, { attempt: 1, data: undefined }],
    ['expires', expire, { attempt: 2, data: 'sent' }],
    ['is released with a retention', refuse, { attempt: 2, data: 'refused' }],
  ])('is claimed if it %s before it is read', async (_what, change, claim) => {
    const key = freshKey();
    const { token } = claimOf(await postgresStore(pool).claim(key, long, { data: 'sent' }));
    const store = postgresStore(changing(() => change(key, token)));
    expect(await store.claim(key, long)).toMatchObject({ status: 'claimed', ...claim });
  });

  it('is reported as in progress if others claim it each time', async () => {
    const key = freshKey();
    let reads = 0;
    const deleting = changing(() => {
      reads += 1;
      return remove(key);
    });
    const client: PostgresClient = {
      query: async (text, values) => {
        if (text.includes('INSERT')) await postgresStore(pool).claim(key, long);
        return await deleting.query(text, values);
      },
    };
    expect(await postgresStore(client).claim(key, long)).toEqual({ status: 'in_progress', retryAfter: 1 });
    expect(reads).toBe(3);
  });
});

describe.skipIf(isSkipped)(`the times of the records in PostgreSQL${why}`, () => {
  it('work up to the accepted maximum, and are never shortened', async () => {
    const store = postgresStore(pool);
    const key = freshKey();
    const century = 3_155_760_000_000;
    const now = await clockOf(pool);
    const { token } = claimOf(await store.claim(key, century));
    const held = await store.claim(key, 1);
    if (held.status !== 'in_progress') throw new Error(`expected in_progress, got ${held.status}`);
    expect(held.retryAfter).toBeGreaterThan(century - long);
    await store.complete(key, token, long);
    expect((await recordOf(key))['until']).toBeLessThan(now + 2 * long);
    await store.complete(key, token, century);
    await store.complete(key, token, long);
    expect((await recordOf(key))['until']).toBeGreaterThanOrEqual(now + century);
  });
});

describe.skipIf(isSkipped)(`purge${why}`, () => {
  let store: PostgresStore;
  beforeEach(async () => {
    store = postgresStore(pool);
    await pool.query('TRUNCATE payments_claims, payments_claims_velocity');
  });

  const insert = (keys: string, completed: boolean, expired: string) =>
    pool.query(
      `INSERT INTO payments_claims
       SELECT $1 || n, 'token', 1, $2, clock_timestamp() - $3::interval, now() FROM generate_series(1, 1) n`,
      [keys, completed, expired],
    );
  const keysLeft = async () =>
    (await pool.query('SELECT key FROM payments_claims ORDER BY key')).rows.map(({ key }) => key);

  it('deletes expired records, and a claim a week after its lease', async () => {
    await insert('completed, over ', true, '1 second');
    await insert('completed ', true, '-1 hour');
    await insert('claimed ', false, '-1 hour');
    await insert('ran out ', false, '6 days 23 hours');
    await insert('ran out long ago ', false, '7 days 1 minute');
    expect(await store.purge()).toBe(2);
    expect(await keysLeft()).toEqual(['claimed 1', 'completed 1', 'ran out 1']);
    expect(await store.purge()).toBe(0);
  });

  it('deletes no claim with data before it is completed', async () => {
    await insert('open ', false, '700 days');
    await pool.query(`UPDATE payments_claims SET data = '' WHERE key = 'open 1'`);
    await insert('handled ', true, '1 second');
    await pool.query(`UPDATE payments_claims SET data = '' WHERE key = 'handled 1'`);
    expect(await store.purge()).toBe(1);
    expect(await keysLeft()).toEqual(['open 1']);
  });

  it('deletes a key released with a retention after that retention', async () => {
    const { token } = claimOf(await store.claim('forgotten', long, { data: 'sent' }));
    await store.release('forgotten', token, { data: 'refused', retention: long });
    expect(await store.purge()).toBe(0);
    await pool.query('UPDATE payments_claims SET expires_at = now()');
    const retry = claimOf(await store.claim('forgotten', long, { data: 'new' }));
    expect(retry).toMatchObject({ attempt: 2, data: 'refused' });
    await store.release('forgotten', retry.token, { retention: long });
    const other = claimOf(await store.claim('claimed again', long, { data: 'a' }));
    await store.release('claimed again', other.token, { retention: long });
    await store.claim('claimed again', long);
    await pool.query(`UPDATE payments_claims SET expires_at = now() - interval '700 days'`);
    expect(await store.purge()).toBe(1);
    expect(await keysLeft()).toEqual(['claimed again']);
    expect(await openAt(store, 'claimed again')).toMatchObject([{ data: 'a', attempt: 2 }]);
  });

  it('finds no rows of blocked attempts', async () => {
    const entries = [entryOf('a'), entryOf('b', 1n, { limit: 0n, blocks: true })];
    await store.check('1', entries);
    const { rows } = await pool.query('SELECT key FROM payments_claims_velocity');
    expect(rows).toEqual([]);
  });

  it('deletes counted attempts after their window', async () => {
    await store.check('over', [entryOf('over', 1n, { windowMs: 1 })]);
    await store.check('kept', [entryOf('kept')]);
    await store.check('both', [entryOf('kept'), entryOf('over', 1n, { windowMs: 1 })]);
    await untilExpired(store);
    await store.purge();
    const { rows } = await pool.query('SELECT key FROM payments_claims_velocity ORDER BY key');
    expect(rows.map(({ key }) => key)).toEqual(['attempt both', 'attempt kept', 'kept']);
  });

  it('deletes in bounded batches', async () => {
    await pool.query(
      `INSERT INTO payments_claims
       SELECT n::text, 'token', 1, true, clock_timestamp() - interval '1 hour', now() FROM generate_series(1, 2500) n`,
    );
    const counts: number[] = [];
    const counting: PostgresClient = {
      query: async (text, values) => {
        const result = await pool.query(text, values);
        counts.push(Number(result.rows[0]?.deleted));
        return result;
      },
    };
    expect(await postgresStore(counting).purge()).toBe(2500);
    // The first statement reads the blocks of the claims, the last those of the counted attempts, which has none.
    expect(counts).toEqual([Number.NaN, 1000, 1000, 500, Number.NaN]);
  });

  it('can run concurrently with itself', async () => {
    await pool.query(
      `INSERT INTO payments_claims
       SELECT n::text, 'token', 1, true, clock_timestamp() - interval '1 hour', now() FROM generate_series(1, 2500) n`,
    );
    const deleted = await Promise.all([store.purge(), store.purge(), store.purge()]);
    expect(deleted.reduce((sum, each) => sum + each)).toBe(2500);
    expect(await keysLeft()).toEqual([]);
  });

  it('neither waits for a transaction nor deletes its claims', async () => {
    await insert('held ', true, '1 hour');
    await insert('free ', true, '1 hour');
    const client = await connect();
    await client.query('BEGIN');
    claimOf(await store.claim('held 1', long, { client }));
    expect(await store.purge()).toBe(1);
    await client.query('COMMIT');
    expect(await store.purge()).toBe(0);
    expect(await keysLeft()).toEqual(['held 1']);
  });

  it('reads each block once', async () => {
    // About 70 rows fit into a block, so there are several ranges.
    await pool.query(
      `INSERT INTO payments_claims
       SELECT n::text, 'token', 1, n % 100 = 0, clock_timestamp() - interval '1 hour', now()
       FROM generate_series(1, 30000) n`,
    );
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
    const { rows } = await pool.query(`SELECT pg_relation_size('payments_claims') / 8192 AS blocks`);
    expect(ranges.length).toBe(Math.ceil(Number(rows[0]?.blocks) / 128));
    expect(ranges.length).toBeGreaterThan(2);
    for (const [index, [first, last]] of ranges.entries()) {
      expect([first, last]).toEqual([`(${index * 128},0)`, `(${(index + 1) * 128},0)`]);
    }
    for (const plan of plans) expect(plan).toMatch(/Tid Range Scan on payments_claims/);
  });
});

describe.skipIf(isSkipped)(`migrate${why}`, () => {
  it('creates the tables, in many concurrent processes', async () => {
    const stores = Array.from({ length: 8 }, () => postgresStore(pool, { table: 'made_by_many' }));
    await Promise.all(stores.map((store) => store.migrate()));
    for (const store of stores) await store.migrate();
    expect(await stores[0]?.claim('evt_1', long)).toMatchObject({ status: 'claimed' });
  });

  it('is named by a call without its tables, also through a journal', async () => {
    const store = postgresStore(pool, { table: 'never_migrated' });
    const advice =
      'postgresStore: expected the table "never_migrated" and what belongs to it in the database of the connection, got a database without them. ' +
      'Call await store.migrate() when your program starts.';
    await expect(store.claim('evt_1', long)).rejects.toThrow(advice);
    await expect(store.check('1', [])).rejects.toThrow(advice);
    const { payments } = createTestClient({ client: { journal: { store } } });
    const call = payments.paymentIntents.create(
      { amount: 1200, currency: 'usd' },
      { operationId: 'order-1' },
    );
    await expect(call).rejects.toThrow(advice);
  });

  it('passes the error of a function that the server lacks to the caller of migrate', async () => {
    const error = Object.assign(new Error('function num_nulls does not exist'), { code: '42883' });
    await expect(postgresStore({ query: () => Promise.reject(error) }).migrate()).rejects.toBe(error);
  });

  it('takes no lock if the tables are current', async () => {
    const store = postgresStore(pool, { table: 'in_use' });
    await store.migrate();
    const client = await connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE in_use, in_use_velocity IN ACCESS EXCLUSIVE MODE');
    await store.migrate();
    await client.query('ROLLBACK');
  });

  /** Every operation of a store, so that each object is used. */
  const useAll = async (store: PostgresStore, client: PostgresClient) => {
    const key = freshKey();
    claimOf(await store.claim(key, long, { data: 'data' }));
    expect(await openAt(store, key)).toMatchObject([{ key }]);
    claimOf(await store.record(freshKey(), long, { client }));
    await store.check(key, [entryOf(key)]);
    await takeBack(store, key, [key]);
    await store.advance(key, 1, 'data');
    await store.purge();
  };

  it.each([
    'DROP INDEX restored_listed',
    'ALTER TABLE restored DROP CONSTRAINT restored_pkey',
    'ALTER TABLE restored_velocity DROP CONSTRAINT restored_velocity_pkey',
    'ALTER TABLE restored_snapshots DROP CONSTRAINT restored_snapshots_pkey',
    'DROP TABLE restored',
    'DROP TABLE restored_velocity',
    'DROP TABLE restored_snapshots',
    'DROP FUNCTION restored_record, restored_check',
    'DROP FUNCTION restored_record',
    'DROP FUNCTION restored_check',
  ])('repairs what a restore lacks: %s', async (lacks) => {
    const store = postgresStore(pool, { table: 'restored' });
    await store.migrate();
    const objects = async () => {
      const { rows } = await pool.query(
        `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indexrelid::regclass::text LIKE 'restored%'
        UNION SELECT oid::regprocedure::text FROM pg_proc WHERE proname LIKE 'restored%' ORDER BY name`,
      );
      return rows;
    };
    const before = await objects();
    expect(before).toHaveLength(6);
    await pool.query(lacks);
    await store.migrate();
    expect(await objects()).toEqual(before);
    await useAll(store, pool);
  });

  it('needs no right to create if all is there, even without its comment', async () => {
    const table = 'granted.claims';
    const names = [table, `${table}_velocity`, `${table}_snapshots`].join(', ');
    await pool.query('CREATE SCHEMA granted; CREATE ROLE merchant LOGIN');
    const merchant = new pg.Pool({ ...server?.connection, user: 'merchant', max: 1 });
    onTestFinished(() => merchant.end());
    const store = postgresStore(merchant, { table });
    await pool.query(store.schema);
    await pool.query(`COMMENT ON TABLE ${table} IS NULL; GRANT USAGE ON SCHEMA granted TO merchant;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ${names} TO merchant`);
    await store.migrate();
    await useAll(store, merchant);
    await pool.query(`DROP INDEX granted.claims_listed`);
    expect(await outcomeOf(store.migrate())).toBe('42501');
  });

  it('refuses tables of something else, and changes nothing', async () => {
    await pool.query('CREATE TABLE foreign_one (key text PRIMARY KEY, data text)');
    const refused = postgresStore(pool, { table: 'foreign_one' }).migrate();
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(
      `postgresStore.table: expected no tables, or tables with the columns of the schema, got tables without "foreign_one".token, "foreign_one".attempt, "foreign_one".completed, "foreign_one".expires_at, "foreign_one".claimed_at, "foreign_one".listed. Give the store tables of its own, with the option 'table'.`,
    );
    const { rows } = await pool.query(`SELECT FROM pg_class WHERE relname LIKE 'foreign_one_%'`);
    expect(rows).toHaveLength(1);
  });

  it('refuses tables of another version, and changes nothing', async () => {
    const store = postgresStore(pool, { table: 'of_another' });
    await store.migrate();
    for (const version of [0, 10]) {
      const comment = `payments-client store, version ${version}`;
      await pool.query(`COMMENT ON TABLE of_another IS '${comment}'`);
      const refused = store.migrate();
      await expect(refused).rejects.toThrow(ConfigurationError);
      await expect(refused).rejects.toThrow(
        `postgresStore.table: expected no table "of_another", or one of version 1, got one of version ${version}. Give the store tables of its own, with the option 'table'.`,
      );
      const { rows } = await pool.query(`SELECT obj_description('of_another'::regclass) AS comment`);
      expect(rows).toEqual([{ comment }]);
    }
  });
});

describe.skipIf(isSkipped)(`a custom table${why}`, () => {
  const handleOne = async (table: string) => {
    const store = postgresStore(pool, { table });
    const { token } = claimOf(await store.claim('evt_1', long));
    expect(await store.complete('evt_1', token, 1)).toBe(true);
    await untilExpired(store);
    return await store.purge();
  };

  it.each(['Events', 'select', 'shop.Webhook_Events', `t${'x'.repeat(51)}`, `shop.${'t'.repeat(52)}`, '_1'])(
    'is created by its schema, repeatedly, and works: %s',
    async (table) => {
      await pool.query('CREATE SCHEMA IF NOT EXISTS shop');
      const { schema } = postgresStore(pool, { table });
      await pool.query(schema);
      await pool.query(schema);
      expect(await handleOne(table)).toBeGreaterThanOrEqual(1);
    },
  );

  it('is one of two with the same name in two schemas', async () => {
    await pool.query('CREATE SCHEMA IF NOT EXISTS one; CREATE SCHEMA IF NOT EXISTS two');
    for (const table of ['one.events', 'two.events']) {
      const store = postgresStore(pool, { table });
      await pool.query(store.schema);
      claimOf(await store.claim('evt_1', long));
    }
    const { rows } = await pool.query(`SELECT schemaname FROM pg_indexes WHERE indexname = 'events_listed'`);
    expect(rows.map(({ schemaname }) => schemaname).sort()).toEqual(['one', 'two']);
  });
});

describe('postgresStore refuses', () => {
  const nobody: PostgresClient = { query: async () => ({ rows: [] }) };

  it.each([
    '',
    '.',
    'a.',
    '.a',
    'a.b.c',
    'a b',
    'a;b',
    'a"b',
    '"a"',
    `a'b`,
    'a--b',
    'a\0b',
    'a\nb',
    'a\n',
    '1a',
    'é',
    '‮a',
    'a"; DROP TABLE payments; --',
    'a'.repeat(53),
    `${'a'.repeat(64)}.b`,
  ])('the table %j', (table) => {
    const says =
      'postgresStore.table: expected a name of letters, digits and _ (at most 52), or schema.name, got';
    expect(() => postgresStore(nobody, { table })).toThrow(says);
  });
});
