import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { refuseOpenTransaction, type SqliteDatabase, settingOf } from './database.node.ts';
import { createTables, tablesVersion } from './tables.node.ts';

/** The lowest value of `PRAGMA synchronous` that loses no commit in a power failure. */
const full = 2;

function unusable(
  expected: string,
  received: string,
  advice = 'Give the store a file of its own.',
): ConfigurationError {
  return configurationError([{ path: 'sqliteStore.database', expected, received }], advice);
}

/**
 * Adds the tables of a store to the database of a merchant, unless it has them. Changes nothing else of the file: `application_id`,
 * `user_version` and `journal_mode` are the merchant's.
 *
 * @throws ConfigurationError if the database has tables of the same names, an open transaction, or UTF-16, which sorts keys otherwise.
 */
export function joinDatabase(database: SqliteDatabase, busyTimeout: number): void {
  refuseOpenTransaction(database);
  // First: without it, any statement fails while another process writes.
  if (settingOf(database, 'busy_timeout') === 0) database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  const encoding = settingOf(database, 'encoding');
  if (encoding !== 'UTF-8') throw unusable('a database in UTF-8', `one in ${encoding}`);
  // Both are settings of the connection. A record that a power failure undoes could repeat a payment.
  if (Number(settingOf(database, 'synchronous')) < full) database.exec('PRAGMA synchronous = FULL');
  const expected = `a database without such tables, or with those of this store (version ${tablesVersion})`;
  createTables(database, ({ received, advice }) => unusable(expected, received, advice));
}
