import type { DatabaseSync } from 'node:sqlite';
import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { errorCode, messageOf } from '../../base/functions.ts';
import { builtinModule } from '../../base/runtime/runtime.ts';
import { attemptsRetention } from '../records/claim.ts';

/** Marks a file as a store: `pays`, in the SQLite header. */
const applicationId = 0x70_61_79_73;

/** The version of the tables. A file of another version is refused. */
const version = 2;

/**
 * A `completed` record expires at `until`. A completed record without a token was released with a retention, so it can
 * be claimed before. `forget` is when a record may be deleted; null for an open one, which has the `space` of its key.
 *
 * `highest` is the highest time of the store that was written, in the only row of `clock`.
 *
 * The `items` of `velocity` are a JSON list: the buckets of a key, or the parts of an attempt.
 */
const tables = /* @__PURE__ */ (() => `
CREATE TABLE claim (
  key TEXT NOT NULL PRIMARY KEY,
  token TEXT,
  attempt INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  data TEXT,
  forget INTEGER AS (CASE WHEN completed THEN until WHEN data IS NULL THEN until + ${attemptsRetention} END),
  space TEXT AS (CASE WHEN forget IS NULL THEN substr(key, 1, instr(key || '/', '/') - 1) END)
) STRICT;
CREATE INDEX claim_forget ON claim (forget);
CREATE INDEX claim_open ON claim (space, since, key) WHERE space IS NOT NULL;
CREATE TABLE velocity (
  key TEXT NOT NULL PRIMARY KEY,
  items TEXT NOT NULL,
  forget INTEGER NOT NULL
) STRICT;
CREATE INDEX velocity_forget ON velocity (forget);
CREATE TABLE clock (highest INTEGER NOT NULL) STRICT;
CREATE TABLE snapshot (
  key TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${version};
`)();

/** Only the owner may read it: claim data describes the merchant's operations. */
const mode = 0o600;

/** The SQLite result code for a file locked by another process. */
const busy = 5;
/** The SQLite result codes for an unreadable file. */
const unreadable = [11, 26];

function missing(): ConfigurationError {
  const expected = 'a runtime with node:sqlite, such as Node 22.13 or later';
  return configurationError(
    [{ path: 'sqliteStore', expected, received: 'another' }],
    'Use redisStore or postgresStore here, with a client that this runtime has.',
  );
}

function refusal(received: string): ConfigurationError {
  return configurationError(
    [
      {
        path: 'sqliteStore.path',
        expected: `a new file, or one of this store (version ${version})`,
        received,
      },
    ],
    'Give the store a file of its own.',
  );
}

function unopenable(code: string): ConfigurationError {
  const expected = 'a file in a folder that exists and may be written';
  return configurationError(
    [{ path: 'sqliteStore.path', expected, received: `one that cannot be opened (${code})` }],
    'Create the folder, or pass another path.',
  );
}

function numberOf(database: DatabaseSync, pragma: 'application_id' | 'user_version'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

/** Returns whether the file still needs its tables. */
function isNew(database: DatabaseSync): boolean {
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  const id = numberOf(database, 'application_id');
  if (isEmpty && id === 0) return true;
  if (id !== applicationId) throw refusal('a database of another program');
  const found = numberOf(database, 'user_version');
  if (found !== version) throw refusal(`one whose tables have version ${found}`);
  return false;
}

/** Begins a transaction that excludes other writers. */
export function beginAlone(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
}

export function commit(database: DatabaseSync): void {
  database.exec('COMMIT');
}

/** Ends a transaction that failed. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite rolled some failures back itself.
  }
}

/** Creates the tables of a new file. Of processes that start together, one does and the others wait. */
function createTables(database: DatabaseSync): void {
  if (!isNew(database)) return;
  database.exec('PRAGMA journal_mode = WAL');
  try {
    beginAlone(database);
    if (isNew(database)) database.exec(tables);
    commit(database);
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Returns the SQLite result code of an error; 0 if there is none. */
const codeOf = (error: unknown) => (error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0);

/**
 * Creates the tables once no other process does. When two processes switch a new file to WAL concurrently, SQLite
 * refuses one without waiting, since they would deadlock.
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
 * Opens or creates the file of a store.
 *
 * @throws ConfigurationError if there is no `node:sqlite`, the file cannot be opened, or it belongs to another program.
 */
export function openStoreFile(path: string, busyTimeout: number): DatabaseSync {
  const sqlite = builtinModule('node:sqlite', ({ DatabaseSync: found }) => typeof found === 'function');
  const fs = builtinModule('node:fs', ({ openSync }) => typeof openSync === 'function');
  if (sqlite === undefined || fs === undefined) throw missing();
  try {
    fs.closeSync(fs.openSync(path, 'a', mode));
  } catch (error) {
    throw unopenable(String(errorCode(error)));
  }
  const database = new sqlite.DatabaseSync(path);
  try {
    // Syncs each commit to disk before an operation returns, so that a power failure loses no claim.
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA synchronous = FULL`);
    createTablesInTurn(database, busyTimeout);
    return database;
  } catch (error) {
    database.close();
    throw unreadable.includes(codeOf(error))
      ? refusal(`a file that SQLite refuses: ${messageOf(error)}`)
      : error;
  }
}
