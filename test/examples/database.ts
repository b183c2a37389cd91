/** A PostgreSQL server for the examples of one test file, from its first test until its last. */

import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { skipWithout } from '../support/skip.ts';

/** The server, while the tests run. */
export interface ExampleDatabase {
  /** Whether PostgreSQL is missing, and the reason for the skip. */
  readonly isSkipped: boolean;
  readonly reason: string;
  /** The connection URL for the examples. */
  readonly url: string;
  readonly pool: pg.Pool;
}

/** @param file The path of the test file, for the reason of a skip. */
export function exampleDatabase(file: string): ExampleDatabase {
  const { isSkipped, why } = skipWithout(hasPostgres(), 'PostgreSQL', file);
  let running: { readonly server: PostgresServer; readonly pool: pg.Pool } | undefined;
  const started = () => {
    if (running === undefined) throw new Error('the server runs only while tests do');
    return running;
  };
  beforeAll(async () => {
    if (isSkipped) return;
    const server = await startPostgresServer();
    running = { server, pool: new pg.Pool(server.connection) };
  }, 60_000);
  afterAll(async () => {
    await running?.pool.end();
    await running?.server.stop();
  });
  return {
    isSkipped,
    reason: why,
    get url() {
      return `postgres://postgres@/postgres?host=${started().server.connection.host}`;
    },
    get pool() {
      return started().pool;
    },
  };
}
