/** The client `postgres`, which describes each statement to the server, and encodes parameters by their types. */

import { type PostgresClient, postgresStore } from 'payments-client/stores';
import postgres from 'postgres';
import { expect } from 'vitest';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { describeStore } from '../contract.ts';
import { long } from '../time.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/stores/postgres/porsager.services.test.ts',
);

/** As the guide adapts it. */
function adapted(sql: Pick<postgres.Sql, 'unsafe'>): PostgresClient {
  return { query: async (text, values) => ({ rows: await sql.unsafe(text, values as string[]) }) };
}

describeStore(`PostgreSQL, by postgres${why}`, isSkipped, async () => {
  const server = await startPostgresServer();
  const { host, port, user, database } = server.connection;
  const sql = postgres({ path: `${host}/.s.PGSQL.${port}`, user, database, max: 4, onnotice: () => {} });
  const store = postgresStore(adapted(sql));
  await store.migrate();
  await sql.begin(async (transaction) => {
    const client = adapted(transaction);
    expect(await store.record('in a transaction', long, { client, lease: long })).toMatchObject({
      attempt: 1,
    });
  });
  expect(await store.claim('in a transaction', long)).toEqual({ status: 'completed' });
  return {
    stores: [store, postgresStore(adapted(sql))],
    purge: () => store.purge(),
    close: async () => {
      await sql.end();
      await server.stop();
    },
  };
});
