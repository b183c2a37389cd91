/** Stores on servers, each with a table of effects beside it. */

import { type PostgresClient, postgresStore, type Store } from 'payments-client/stores';
import pg from 'pg';
import { inTransaction } from '../../support/pg-transaction.ts';
import type { Backend } from './modes.ts';

/** A pool as in the guide, with error listeners on the pool and on each connection. */
export function openPool(connection: pg.PoolConfig, max: number): pg.Pool {
  const ignore = () => {};
  const pool = new pg.Pool({ ...connection, max }).on('error', ignore);
  return pool.on('connect', (client) => void client.on('error', ignore));
}

/** Creates the tables of a store and of its effects, each with a name of its own. */
export async function postgresBackend(
  database: PostgresClient,
  transaction: Backend<PostgresClient>['transaction'],
  { number = 0, timeout = 5000 } = {},
): Promise<Backend<PostgresClient>> {
  const effects = `effect_${number}`;
  const store = postgresStore(database, { table: `claims_${number}`, timeout });
  await store.migrate();
  await database.query(`CREATE TABLE ${effects} (event text)`, []);
  return {
    store,
    transaction,
    add: (event, client = database) => client.query(`INSERT INTO ${effects} VALUES ($1)`, [event]),
    effects: async () => {
      const { rows } = await database.query(`SELECT event FROM ${effects}`, []);
      return rows.map((row) => String(Object(row).event));
    },
  };
}

/** A store and its effects in the database of a pool. */
export function pooledBackend(pool: pg.Pool, options?: Parameters<typeof postgresBackend>[2]) {
  return postgresBackend(pool, (run) => inTransaction(pool, run), options);
}

/** A store without transactions, and effects in the memory of this process. */
export function inlineBackend(store: Store): Backend<never> {
  const none = () => Promise.reject(new Error('this store has no transactions'));
  const rows: string[] = [];
  const add = async (effect: string) => rows.push(effect);
  return { store: { ...store, record: none }, transaction: none, add, effects: async () => rows };
}
