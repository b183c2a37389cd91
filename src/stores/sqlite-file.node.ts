import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import { builtinModule } from '../base/runtime.ts';
import { attemptsRetention } from './attempts.ts';

/** Marks a file as one of a store: `pays`, as SQLite keeps it in the header. */
const applicationId = 0x70_61_79_73;

/** The form of the tables. A file of a later one is refused. */
const version = 3;

/** `items` is a list as JSON: the buckets of a key, or the parts of an attempt. */
const velocityTable = `CREATE TABLE velocity (
  key TEXT NOT NULL PRIMARY KEY,
  items TEXT NOT NULL,
  forget INTEGER NOT NULL
) STRICT;
CREATE INDEX velocity_forget ON velocity (forget);`;

const snapshotTable = `CREATE TABLE snapshot (
  key TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;`;

/**
 * `completed` records are over at `until`. One without a token was released with a retention, so it can be claimed before. `forget` is when a
 * record may be deleted; a claim with data has none before it is completed.
 */
const tables = `
CREATE TABLE claim (
  key TEXT NOT NULL PRIMARY KEY,
  token TEXT,
  attempt INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  data TEXT,
  forget INTEGER AS (CASE WHEN completed THEN until WHEN data IS NULL THEN until + ${attemptsRetention} END)
) STRICT;
CREATE INDEX claim_forget ON claim (forget);
CREATE INDEX claim_open ON claim (key) WHERE data IS NOT NULL AND NOT completed;
${velocityTable}
${snapshotTable}
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${version};
`;

/** Brings a file of an earlier version up to date. What version 1 had counted is forgotten. */
function upgradeFrom(found: number): string {
  const velocity = found < 2 ? `DROP TABLE attempt; ${velocityTable}` : '';
  return `${velocity} ${snapshotTable} PRAGMA user_version = ${version};`;
}

/** Only the owner may read it: data of a claim says what the merchant does. */
const mode = 0o600;

/** The result code of SQLite where another process has the file. */
const busy = 5;
/** Result codes of SQLite for a file that it cannot read. */
const unreadable = [11, 26];

function missing(): ConfigurationError {
  const expected = 'a runtime with node:sqlite, such as Node 22.13 or later';
  return new ConfigurationError(
    [{ path: 'sqliteStore', expected, received: 'another' }],
    'Use redisStore or postgresStore here.',
  );
}

function refusal(received: string): ConfigurationError {
  return new ConfigurationError(
    [{ path: 'sqliteStore.path', expected: 'a new file, or one of this store', received }],
    'Give the store a file of its own.',
  );
}

function numberOf(database: DatabaseSync, pragma: 'application_id' | 'user_version'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

/** What brings the tables of the file up to date; `undefined` where nothing is to be done. */
function migrationOf(database: DatabaseSync): string | undefined {
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  const id = numberOf(database, 'application_id');
  if (isEmpty && id === 0) return tables;
  if (id !== applicationId) throw refusal('a database of another program');
  const found = numberOf(database, 'user_version');
  if (found === version) return undefined;
  if (found < version) return upgradeFrom(found);
  throw refusal(`one of version ${found}, which a later version of this package wrote`);
}

/** Runs the work in a transaction, while no other process writes. */
export function writeAlone<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled some failures back itself.
    }
    throw error;
  }
}

/** Creates the tables, or brings them up to date. Of processes that start together one does, and the others wait. */
function createTables(database: DatabaseSync): void {
  if (migrationOf(database) === undefined) return;
  database.exec('PRAGMA journal_mode = WAL');
  writeAlone(database, () => database.exec(migrationOf(database) ?? ''));
}

/** The result code of SQLite in an error; 0 where there is none. */
const codeOf = (error: unknown) => (error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0);

/**
 * Creates the tables once no other process does. Of two that switch a new file to WAL at the same time, SQLite refuses one without waiting,
 * since each would wait for the other.
 */
function createTablesInTurn(database: DatabaseSync, busyTimeout: number): void {
  const end = performance.now() + busyTimeout;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      createTables(database);
      return;
    } catch (error) {
      if (codeOf(error) !== busy || performance.now() >= end) throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/**
 * Opens the file of a store, or creates it.
 *
 * @throws ConfigurationError where there is no `node:sqlite`, or the file belongs to something else.
 */
export function openStoreFile(path: string, busyTimeout: number): DatabaseSync {
  const sqlite = builtinModule('node:sqlite', ({ DatabaseSync: found }) => typeof found === 'function');
  const fs = builtinModule('node:fs', ({ openSync }) => typeof openSync === 'function');
  if (sqlite === undefined || fs === undefined) throw missing();
  fs.closeSync(fs.openSync(path, 'a', mode));
  const database = new sqlite.DatabaseSync(path);
  try {
    // A commit is on the disk before an operation ends, so that no claim is lost with the power.
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA synchronous = FULL`);
    createTablesInTurn(database, busyTimeout);
    return database;
  } catch (error) {
    database.close();
    throw unreadable.includes(codeOf(error))
      ? refusal(`one of which SQLite says: ${messageOf(error)}`)
      : error;
  }
}
