/** The client `postgres`, which describes each statement to the server, and encodes parameters by their types. */

import { type PostgresClient, postgresStore } from 'payments-client/stores';
import postgres from 'postgres';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { describeStore } from '../contract.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/stores/postgres/porsager.services.test.ts',
);

/** As the guide adapts it. */
function adapted(sql: postgres.Sql): PostgresClient {
  return { query: async (text, values) => ({ rows: await sql.unsafe(text, values as string[]) }) };
}

describeStore(`PostgreSQL, by postgres${why}`, isSkipped, async () => {
  const server = await startPostgresServer();
  const { host, port, user, database } = server.connection;
  const sql = postgres({ path: `${host}/.s.PGSQL.${port}`, user, database, max: 4, onnotice: () => {} });
  const store = postgresStore(adapted(sql));
  await store.migrate();
  return {
    stores: [store, postgresStore(adapted(sql))],
    purge: () => store.purge(),
    close: async () => {
      await sql.end();
      await server.stop();
    },
  };
});
