import { ConfigurationError } from 'payments-client';
import { type PostgresStore, postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anything } from '../../support/anything.ts';
import { emptyPglite } from '../../support/pglite.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { openAt } from '../../support/stores.ts';
import { claimOf, freshKey, long, untilExpired } from '../time.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/stores/postgres/record.services.test.ts',
);

let server: PostgresServer | undefined;
let pool: pg.Pool;
let store: PostgresStore;
beforeAll(async () => {
  if (isSkipped) return;
  server = await startPostgresServer();
  pool = new pg.Pool({ ...server.connection, max: 60 });
  store = postgresStore(pool);
  await store.migrate();
  await pool.query('CREATE TABLE effects (key text)');
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

/** Opens a connection whose waits are visible by its name. */
async function connect(): Promise<{ readonly client: pg.Client; readonly name: string }> {
  const name = freshKey();
  const client = new pg.Client({ ...server?.connection, application_name: name });
  await client.connect();
  onTestFinished(() => client.end());
  return { client, name };
}

/** Waits until a connection waits for a lock, as the database reports. */
async function untilBlocked(name: string): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`;
  while ((await pool.query(waiting, [name])).rows.length === 0);
}

/** Records the key and its effect in a separate transaction, as a merchant does. */
async function handle(key: string): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { status } = await store.record(key, long, { client });
    if (status === 'claimed') await client.query('INSERT INTO effects VALUES ($1)', [key]);
    await client.query('COMMIT');
    return status;
  } finally {
    client.release();
  }
}

const effectsOf = async (key: string) =>
  (await pool.query('SELECT 1 FROM effects WHERE key = $1', [key])).rows.length;

describe.skipIf(isSkipped)(`record in PostgreSQL${why}`, () => {
  it('completes a new key with the transaction', async () => {
    const key = freshKey();
    const { client } = await connect();
    await client.query('BEGIN');
    const { token, ...claim } = claimOf(await store.record(key, long, { client }));
    expect(claim).toEqual({ status: 'claimed', attempt: 1, data: undefined });
    expect(await store.record(key, long, { client })).toEqual({ status: 'completed' });
    await client.query('COMMIT');
    expect(await store.claim(key, long)).toEqual({ status: 'completed' });
    expect(await store.complete(key, token, long)).toBe(true);
  });

  it('leaves nothing if the transaction rolls back', async () => {
    const key = freshKey();
    const { client } = await connect();
    await client.query('BEGIN');
    await store.record(key, long, { client });
    await client.query('ROLLBACK');
    expect(await store.claim(key, long)).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it('has one effect when many transactions record the same key', async () => {
    for (let round = 0; round < 3; round += 1) {
      const key = freshKey();
      const statuses = await Promise.all(Array.from({ length: 50 }, () => handle(key)));
      expect(statuses.sort()).toEqual(['claimed', ...Array<string>(49).fill('completed')]);
      expect(await effectsOf(key)).toBe(1);
    }
  });

  it('waits for a transaction that has the key, and claims it if that rolls back', async () => {
    for (const [end, status] of [
      ['COMMIT', 'completed'],
      ['ROLLBACK', 'claimed'],
    ] as const) {
      const key = freshKey();
      const [{ client }, other] = [await connect(), await connect()];
      await client.query('BEGIN');
      await store.record(key, long, { client });
      await other.client.query('BEGIN');
      const second = store.record(key, long, { client: other.client });
      await untilBlocked(other.name);
      await client.query(end);
      expect(await second).toMatchObject({ status });
      await other.client.query('COMMIT');
      expect(await store.claim(key, long)).toEqual({ status: 'completed' });
    }
  });

  it('waits at most 2 s for another transaction, and leaves its own open and its lock_timeout as it was', {
    timeout: 20_000,
  }, async () => {
    const [key, other] = [freshKey(), freshKey()];
    const [{ client: holder }, { client }] = [await connect(), await connect()];
    await client.query(`SET lock_timeout = '7s'`);
    await holder.query('BEGIN');
    await store.record(key, long, { client: holder });
    await client.query('BEGIN');
    await client.query('INSERT INTO effects VALUES ($1)', [other]);
    expect(await store.record(key, long, { client })).toEqual({ status: 'in_progress', retryAfter: 1000 });
    expect((await client.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '7s' }]);
    await holder.query('COMMIT');
    expect(await store.record(key, long, { client })).toEqual({ status: 'completed' });
    await client.query('COMMIT');
    expect(await effectsOf(other)).toBe(1);
  });

  it('ends a transaction that is idle for its lease, and sets nothing without one', async () => {
    const key = freshKey();
    const { client } = await connect();
    const idle = async () => (await client.query('SHOW idle_in_transaction_session_timeout')).rows[0];
    await client.query('BEGIN');
    await store.record(freshKey(), long, { client });
    expect(await idle()).toEqual({ idle_in_transaction_session_timeout: '0' });
    const errors: unknown[] = [];
    client.on('error', (error) => errors.push(error));
    const ended = new Promise((resolve) => client.once('end', resolve));
    await store.record(key, long, { client, lease: 1 });
    await ended;
    expect(errors[0]).toMatchObject({ code: '25P03' });
    expect(await handle(key)).toBe('claimed');
  });

  it('refuses at REPEATABLE READ a key completed since the transaction began', async () => {
    const key = freshKey();
    const { client } = await connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT 1 FROM effects');
    await handle(key);
    await expect(store.record(key, long, { client })).rejects.toMatchObject({ code: '40001' });
    await client.query('ROLLBACK');
  });

  it('completes a key whose record is deleted before it is read', async () => {
    const key = freshKey();
    await handle(key);
    const { client } = await connect();
    const deleting = {
      query: async (text: string, values: unknown[]) => {
        if (text.trimStart().startsWith('SELECT')) {
          await client.query('DELETE FROM payments_claims WHERE key = $1', [key]);
        }
        return await client.query(text, values);
      },
    };
    await client.query('BEGIN');
    expect(await store.record(key, long, { client: deleting })).toMatchObject({ attempt: 1 });
    await client.query('COMMIT');
  });
});

const openers = [
  { name: `a pool of pg${why}`, skip: isSkipped, open: async () => ({ store, client: pool }) },
  {
    name: 'PGlite',
    skip: false,
    open: async () => {
      const client = await emptyPglite();
      const own = postgresStore(client);
      await own.migrate();
      return { store: own, client };
    },
  },
];

describe.each(openers)('record with $name', ({ skip, open }) => {
  it.skipIf(skip)('claims a free key, counts its attempts, and deletes its data', async () => {
    const { store: one, client } = await open();
    const [released, refused, over, lapsed] = [freshKey(), freshKey(), freshKey(), freshKey()];
    const tokenOf = async (key: string) => claimOf(await one.claim(key, long, { data: 'old' })).token;
    await one.release(released, await tokenOf(released));
    await one.release(refused, await tokenOf(refused), { retention: long });
    await one.complete(over, await tokenOf(over), 1);
    await one.claim(lapsed, 1);
    await untilExpired(one);
    for (const [key, attempt] of [
      [released, 2],
      [refused, 2],
      [over, 1],
      [lapsed, 2],
    ] as const) {
      expect(await one.record(key, long, { client })).toMatchObject({ attempt, data: undefined });
      expect(await openAt(one, key)).toEqual([]);
      expect(await one.claim(key, long)).toEqual({ status: 'completed' });
    }
  });

  it.skipIf(skip)('does not change a running claim, which may still be completed', async () => {
    const { store: one, client } = await open();
    const key = freshKey();
    const { token } = claimOf(await one.claim(key, long, { data: 'kept' }));
    const other = await one.record(key, long, { client });
    expect(other).toMatchObject({ status: 'in_progress', data: 'kept' });
    expect(await one.complete(key, token, long)).toBe(true);
    expect(await one.record(key, long, { client })).toEqual({ status: 'completed', data: 'kept' });
  });

  it.skipIf(skip)('is remembered for its retention', async () => {
    const { store: one, client } = await open();
    const key = freshKey();
    await one.record(key, 1, { client });
    await untilExpired(one);
    expect(await one.record(key, long, { client })).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it.skipIf(skip)('refuses wrong arguments', async () => {
    const { store: one, client } = await open();
    for (const [refused, says] of [
      [one.record('', long, { client }), /^record\.key: expected 1 to 512 characters/],
      [one.record('evt', 0, { client }), /^record\.retention: expected an integer from 1 to/],
      [
        one.record('evt', long, anything({})),
        /^record\.client: expected an object with query\(text, values\)/,
      ],
      [one.record('evt', long, anything(undefined)), /^record: expected an object, got nothing/],
      [
        one.record('evt', long, { client, lease: 0 }),
        /^record\.lease: expected an integer from 1 to 2147483647/,
      ],
      [one.record('evt', long, anything({ client, data: 'a' })), /^record\.data: expected one of client/],
    ] as const) {
      await expect(refused).rejects.toThrow(ConfigurationError);
      await expect(refused).rejects.toThrow(says);
    }
  });
});

describe.skipIf(isSkipped)(`advance in a transaction of PostgreSQL${why}`, () => {
  it('is committed or rolled back with it', async () => {
    for (const [end, isKept] of [
      ['COMMIT', true],
      ['ROLLBACK', false],
    ] as const) {
      const key = freshKey();
      const { client } = await connect();
      await client.query('BEGIN');
      expect(await store.advance(key, 2, 'second', { client })).toEqual({ version: 2, data: 'second' });
      await client.query(end);
      expect(await store.advance(key, 1, 'first')).toMatchObject({ version: isKept ? 2 : 1 });
    }
  });

  it('waits for a transaction that has the key', async () => {
    const key = freshKey();
    const [{ client }, other] = [await connect(), await connect()];
    await client.query('BEGIN');
    await store.advance(key, 2, 'second', { client });
    const advanced = store.advance(key, 1, 'first', { client: other.client });
    await untilBlocked(other.name);
    await client.query('COMMIT');
    expect(await advanced).toEqual({ version: 2, data: 'second' });
  });

  it('needs a connection', async () => {
    await expect(store.advance('evt', 1, 'a', anything({ client: 5 }))).rejects.toThrow(/^advance\.client/);
  });

  it('keeps a snapshot that is deleted before it is read', async () => {
    const key = freshKey();
    await store.advance(key, 2, 'second');
    const deleting = {
      query: async (text: string, values: unknown[]) => {
        if (text.startsWith('SELECT')) await pool.query('DELETE FROM payments_claims_snapshots');
        return await pool.query(text, values);
      },
    };
    expect(await postgresStore(deleting).advance(key, 1, 'first')).toEqual({ version: 1, data: 'first' });
  });
});
