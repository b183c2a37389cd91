import type { PostgresClient } from 'payments-client/stores';
import pg from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { freshKey, start } from '../time.ts';

export type Connection = PostgresServer['connection'];

/** Functions of these names shadow those of PostgreSQL, so that a test sets the clock. */
export const clockOfTest = `
CREATE SCHEMA clock;
CREATE TABLE clock.present (at timestamptz);
INSERT INTO clock.present VALUES (to_timestamp(${start / 1000}));
CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT at FROM clock.present';
CREATE FUNCTION clock.statement_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT at FROM clock.present';`;

export const pathOfTest = 'public, clock, pg_catalog';

/** Sets the clock of the test, in ms since 1970. */
export const setClock = (client: PostgresClient, now: number) =>
  client.query('UPDATE clock.present SET at = to_timestamp($1::float8 / 1000)', [now]);

/** Returns the number of buckets under a key. */
export async function bucketsIn(
  client: PostgresClient,
  key: string,
  table = 'payments_claims',
): Promise<number> {
  const keys = 'SELECT count(*) FROM jsonb_object_keys(counted)';
  const query = `SELECT (${keys}) AS count FROM ${table}_velocity WHERE key = $1`;
  return Number((await client.query(query, [key])).rows[0]?.['count']);
}

/** Starts a server for the tests of a file, with a table `effects`, and says whether to skip them. */
export function usePostgres(file: string) {
  const skip = skipWithout(hasPostgres(), 'PostgreSQL', `test/stores/${file}.services.test.ts`);
  let started: { readonly server: PostgresServer; readonly pool: pg.Pool } | undefined;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    if (skip.isSkipped) return;
    const server = await startPostgresServer();
    const pool = new pg.Pool({ ...server.connection, max: 30 });
    ends.push(
      () => pool.end(),
      () => server.stop(),
    );
    started = { server, pool };
    await pool.query('CREATE TABLE effects (key text)');
  }, 60_000);
  afterAll(async () => {
    for (const end of ends) await end();
  });
  const running = () => {
    if (started === undefined) throw new Error('the server is not started');
    return started;
  };
  const pool = () => running().pool;

  /** Creates a database whose clock the test sets. */
  async function createTimed(): Promise<{ connection: Connection; admin: pg.Pool }> {
    const database = `timed_${crypto.randomUUID().replaceAll('-', '')}`;
    await pool().query(`CREATE DATABASE ${database}`);
    const connection = { ...running().server.connection, database };
    await pool().query(`ALTER DATABASE ${database} SET search_path = ${pathOfTest}`);
    const admin = new pg.Pool({ ...connection, max: 4 });
    ends.unshift(() => admin.end());
    await admin.query(clockOfTest);
    return { connection, admin };
  }

  /** Opens a connection, as for a merchant's transaction. Its waits are visible by its name. */
  async function connect(connection = running().server.connection) {
    const name = freshKey();
    const client = new pg.Client({ ...connection, application_name: name });
    await client.connect();
    onTestFinished(() => client.end());
    /** Waits until it waits for a lock, as the database reports. */
    const untilBlocked = async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`;
      while ((await pool().query(waiting, [name])).rows.length === 0);
    };
    return { client, untilBlocked };
  }

  const effectsOf = async (key: string) =>
    (await pool().query('SELECT 1 FROM effects WHERE key = $1', [key])).rows.length;

  return { ...skip, server: () => running().server, pool, createTimed, connect, effectsOf };
}

export const addEffect = (client: PostgresClient, key: string) =>
  client.query('INSERT INTO effects VALUES ($1)', [key]);

/** Returns the value of a promise, or the code of the database's error. */
export const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => (error instanceof pg.DatabaseError ? error.code : error));
