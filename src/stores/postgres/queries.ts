import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { errorCode } from '../../base/functions.ts';
import { readOnlyStore } from '../records/read-only.ts';
import type { PostgresClient } from './client.ts';
import type { Rows } from './rows.ts';
import type { Tables } from './table.ts';

/** PostgreSQL's code of a transaction that must be retried as a whole. */
const notSerializable = '40001';

/** How often to try a statement at REPEATABLE READ or SERIALIZABLE. Its records need not be those of another transaction. */
const maxSerializations = 5;

/** PostgreSQL's code of a write to a replica, or with `default_transaction_read_only`. */
const readOnly = '25006';

/** PostgreSQL's codes of an undefined table and an undefined function. */
const undefinedNames = /* @__PURE__ */ new Set<unknown>(['42P01', '42883']);

function notMigrated({ claims }: Tables): ConfigurationError {
  const expected = `the table ${claims} and what belongs to it in the database of the connection`;
  const issue = { path: 'postgresStore', expected, received: 'a database without them' };
  return configurationError([issue], 'Call await store.migrate() when your program starts.');
}

/** Runs the statements of a store. */
export class Queries {
  readonly #pool: PostgresClient;
  readonly #tables: Tables;

  constructor(pool: PostgresClient, tables: Tables) {
    this.#pool = pool;
    this.#tables = tables;
  }

  /**
   * Runs a statement on the pool, or in the transaction of a client.
   *
   * @throws ConfigurationError if the tables do not exist.
   * @throws PaymentsError `STORE_READ_ONLY` on a replica; else whatever the client throws.
   */
  async run(client: PostgresClient, text: string, values: unknown[], tries = 1): Promise<Rows> {
    try {
      return (await client.query(text, values)).rows;
    } catch (error) {
      const code = errorCode(error);
      // On the pool the statement was the whole transaction, and nothing of it remains.
      if (code === notSerializable && client === this.#pool && tries < maxSerializations)
        return this.run(client, text, values, tries + 1);
      if (code === readOnly)
        throw readOnlyStore('postgresStore.pool', 'a connection that is read-only', error);
      throw undefinedNames.has(code) ? notMigrated(this.#tables) : error;
    }
  }
}
