import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { errorCode, messageOf } from '../../base/functions.ts';
import { builtinModule } from '../../base/runtime/runtime.ts';
import { foreignAdvice, versionAdvice } from '../records/kept-tables.ts';
import { type SqliteDatabase, settingOf } from './database.node.ts';
import { createTables, findTables, type TablesProblem, tablesVersion } from './tables.node.ts';

/** Marks a file as a store: `pays`, in the SQLite header. */
const applicationId = 0x70_61_79_73;

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

const foreign = /* @__PURE__ */ foreignAdvice('a file of its own, or pass your DatabaseSync');

function refusal({ received, advice }: TablesProblem): ConfigurationError {
  const expected = `a new file, or one of this store (version ${tablesVersion})`;
  return configurationError([{ path: 'sqliteStore.path', expected, received }], advice);
}

function unopenable(code: string): ConfigurationError {
  const expected = 'a file in a folder that exists and may be written';
  return configurationError(
    [{ path: 'sqliteStore.path', expected, received: `one that cannot be opened (${code})` }],
    'Create the folder, or pass another path.',
  );
}

/** Whether the file is new. */
function isNew(database: SqliteDatabase): boolean {
  const id = settingOf(database, 'application_id');
  const { isEmpty, hasStore } = findTables(database);
  if (isEmpty && id === 0) return true;
  if (id !== applicationId) throw refusal({ received: 'a database of another program', advice: foreign });
  if (!hasStore) {
    throw refusal({
      received: 'one whose tables have an earlier version',
      advice: versionAdvice(0, tablesVersion),
    });
  }
  return false;
}

/** Creates the tables of a new file. Of processes that start together, one does and the others wait. */
function createFile(database: SqliteDatabase): void {
  if (isNew(database)) database.exec('PRAGMA journal_mode = WAL');
  createTables(database, refusal, () => {
    if (isNew(database)) database.exec(`PRAGMA application_id = ${applicationId}`);
  });
}

/** Returns the SQLite result code of an error; 0 if there is none. */
const codeOf = (error: unknown) => (error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0);

/**
 * Runs work that creates tables once no other process does. When two processes switch a new file to WAL concurrently, SQLite
 * refuses one without waiting, since they would deadlock.
 */
function inTurn(busyTimeout: number, work: () => void): void {
  const end = performance.now() + busyTimeout;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (codeOf(error) !== busy || performance.now() >= end) throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** The database of a file that the store opened. */
export interface SqliteFile extends SqliteDatabase {
  close(): void;
}

/**
 * Opens or creates the file of a store.
 *
 * @throws ConfigurationError if there is no `node:sqlite`, the file cannot be opened, or it belongs to another program.
 */
export function openStoreFile(path: string, busyTimeout: number): SqliteFile {
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
    inTurn(busyTimeout, () => createFile(database));
    return database;
  } catch (error) {
    database.close();
    throw unreadable.includes(codeOf(error))
      ? refusal({ received: `a file that SQLite refuses: ${messageOf(error)}`, advice: foreign })
      : error;
  }
}
