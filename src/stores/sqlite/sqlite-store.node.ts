import { isRecord } from '../../base/json.ts';
import { maxTimer } from '../../base/numbers.ts';
import { checkOptions, optionsOf, timeFrom } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { minute } from '../../base/time.ts';
import { checkedStore, type PageQuery } from '../checked-store.ts';
import { type ClaimRecord, isOpen, type OpenRecord } from '../records/claim.ts';
import { LocalBackend, type LocalTables } from '../records/local-backend.ts';
import { checkRun } from '../records/transaction.ts';
import type { Bucket, Part, VelocityRecords } from '../records/velocity-count.ts';
import type { KeptSnapshot, ScanQuery, Store } from '../store.ts';
import { SqliteClock } from './clock.node.ts';
import {
  beginAlone,
  checkDatabase,
  commit,
  prepare,
  refuseOpenTransaction,
  rollBack,
  type SqliteDatabase,
  type SqliteRow,
} from './database.node.ts';
import { SqliteDocuments } from './documents.node.ts';
import { openStoreFile } from './file.node.ts';
import { SqliteLists } from './lists.node.ts';
import { joinDatabase } from './merchant-database.node.ts';
import { inTransaction, type SqliteRun } from './transaction.node.ts';

/** Options of {@link sqliteStore}. */
type SqliteStoreOptions = {
  /**
   * How long a call waits while another process writes, in ms. It blocks the event loop. A database of yours keeps its own
   * `busy_timeout` unless that is 0. Default: 5000.
   */
  readonly busyTimeout?: number | undefined;
};

/**
 * A store in a SQLite database.
 *
 * @typeParam Database What a transaction passes on: the database that `sqliteStore` got, or that of the file.
 */
export interface SqliteStore<Database extends SqliteDatabase = SqliteDatabase> extends Store {
  /** The database that `sqliteStore` got, or that of the file. */
  readonly client: Database;
  /**
   * Runs a function in a transaction (`BEGIN IMMEDIATE`), and commits when it returns. If it throws, the transaction is rolled back,
   * and the promise rejects with the same error.
   *
   * The function must be synchronous. One that returns a promise does not compile; at run time the transaction is rolled back. Within it,
   * use `client` and `documents` alone: every call of the store is refused until it returns. `documents` fail after its end. After a
   * `STORE_REFERENCE_TAKEN` the transaction can go on.
   *
   * @returns What the function returned.
   * @throws ConfigurationError if `run` is not a function or returns a promise, or a transaction is already open on the connection.
   *
   * @example
   * import { DatabaseSync } from 'node:sqlite';
   *
   * const store = sqliteStore(new DatabaseSync('shop.db'));
   * await store.transaction((client, documents) => {
   *   client.prepare('UPDATE orders SET shipped = 1 WHERE id = ?').run('order_1');
   *   documents.save('shop/order_1', 1, '{}', { wakeAt: null });
   * });
   */
  transaction<Result>(run: SqliteRun<Database, Result>): Promise<Result>;
  /** Closes the file, so that later calls fail. A database that you passed stays open. */
  close(): void;
}

const optionsSchema = /* @__PURE__ */ optionsOf<SqliteStoreOptions>(() => ({
  busyTimeout: s.optional(timeFrom(0, maxTimer)),
}));

const pathExpectation = 'the path of a file';
const isFile = (path: string) => path !== '' && path !== ':memory:' && !/^file:|\0/.test(path);
const pathSchema = /* @__PURE__ */ s.lazily(() =>
  s.string(pathExpectation).check(s.refine(isFile, pathExpectation)),
);

/** How often the highest time is stored, in ms. A refused claim must not write to disk each time. */
const clockPrecision = minute;

/** How many expired records an operation deletes: more than it adds, and few enough to cost little. */
const purgeBatch = 10;

const columns = 'key, token, attempt, completed, since, until, data';

function statementsOf(database: SqliteDatabase) {
  return {
    find: prepare(database, `SELECT ${columns} FROM payments_claims WHERE key = ?`),
    put: prepare(
      database,
      `INSERT OR REPLACE INTO payments_claims (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    open: prepare(
      database,
      `SELECT ${columns} FROM payments_claims WHERE space = ? AND (since, key) > (?, ?) ORDER BY since, key LIMIT ?`,
    ),
    count: prepare(database, 'SELECT count(*) AS count FROM payments_claims WHERE space = ?'),
    // `0` is the character after `/`: the range has the keys of the space, and a few others.
    scan: prepare(
      database,
      `SELECT ${columns} FROM payments_claims WHERE key >= ?1 AND key < ?1 || '0' AND key > ?2 AND data IS NOT NULL
      AND substr(key, 1, instr(key || '/', '/') - 1) = ?1 ORDER BY key LIMIT ?3`,
    ),
    putSnapshot: prepare(
      database,
      'INSERT OR REPLACE INTO payments_snapshots (key, version, data) VALUES (?, ?, ?)',
    ),
    snapshot: prepare(database, 'SELECT version, data FROM payments_snapshots WHERE key = ?'),
    highest: prepare(database, 'SELECT highest FROM payments_store'),
    advanceHighest: prepare(database, 'UPDATE payments_store SET highest = ?'),
    purgeClaims: prepare(
      database,
      `DELETE FROM payments_claims WHERE rowid IN
      (SELECT rowid FROM payments_claims WHERE forget <= ? ORDER BY forget LIMIT ${purgeBatch})`,
    ),
    purgeVelocity: prepare(
      database,
      `DELETE FROM payments_velocity WHERE rowid IN
      (SELECT rowid FROM payments_velocity WHERE forget <= ? ORDER BY forget LIMIT ${purgeBatch})`,
    ),
  };
}

const textOf = (value: SqliteRow[string] | undefined) => (typeof value === 'string' ? value : undefined);

function recordOf(row: SqliteRow): ClaimRecord {
  return {
    key: String(row['key']),
    token: textOf(row['token']),
    attempt: Number(row['attempt']),
    completed: row['completed'] === 1,
    since: Number(row['since']),
    until: Number(row['until']),
    data: textOf(row['data']),
  };
}

class SqliteTables implements LocalTables {
  readonly #database: SqliteDatabase;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #buckets: SqliteLists<Bucket>;
  readonly #parts: SqliteLists<Part>;
  readonly #clock = new SqliteClock();
  readonly documents: SqliteDocuments;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.documents = new SqliteDocuments(database);
    this.#statements = statementsOf(database);
    this.#buckets = new SqliteLists(database, 'key ');
    this.#parts = new SqliteLists(database, 'attempt ');
  }

  /** Begins a transaction. Reads the time once no other process writes. */
  begin(): number {
    beginAlone(this.#database);
    try {
      const highest = this.#highest();
      const now = this.#clock.read(highest);
      if (highest === undefined || now - highest >= clockPrecision) this.#statements.advanceHighest.run(now);
      return now;
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  commit(): void {
    commit(this.#database);
  }

  rollBack(): void {
    rollBack(this.#database);
  }

  now(): number {
    return this.#clock.read(this.#highest());
  }

  find(key: string): ClaimRecord | undefined {
    const row = this.#statements.find.get(key);
    return row && recordOf(row);
  }

  put({ key, token, attempt, completed, since, until, data }: ClaimRecord, now: number): void {
    const values = [key, token ?? null, attempt, completed ? 1 : 0, since, until, data ?? null];
    this.#statements.put.run(...values);
    this.#statements.purgeClaims.run(now);
  }

  open({ space, after = { since: 0, key: '' }, limit }: PageQuery): readonly OpenRecord[] {
    return this.#statements.open.all(space, after.since, after.key, limit).map(recordOf).filter(isOpen);
  }

  countOpen(space: string): number {
    return Number(this.#statements.count.get(space)?.['count']);
  }

  scan({ space, after = '', limit }: ScanQuery): ReturnType<LocalTables['scan']> {
    const rows = this.#statements.scan.all(space, after, limit).map(recordOf);
    return { rows, next: rows.length < limit ? undefined : rows.at(-1)?.key };
  }

  findSnapshot(key: string): KeptSnapshot | undefined {
    const row = this.#statements.snapshot.get(key);
    return row && { version: Number(row['version']), data: String(row['data']) };
  }

  putSnapshot(key: string, { version, data }: KeptSnapshot): void {
    this.#statements.putSnapshot.run(key, version, data);
  }

  attempts(time: number): VelocityRecords {
    // Windows end by the machine's clock, and so does the `retryAt` of a guard.
    const now = Date.now();
    this.#statements.purgeVelocity.run(Math.min(now, time));
    return { now, buckets: this.#buckets, parts: this.#parts };
  }

  /** Returns the highest time that a process has stored; `undefined` in a new file. */
  #highest(): number | undefined {
    const highest = this.#statements.highest.get()?.['highest'];
    return highest === undefined || highest === null ? undefined : Number(highest);
  }
}

/** Returns the store of a database that has its tables. */
function storeIn<Database extends SqliteDatabase>(
  database: Database,
  close: () => void,
): SqliteStore<Database> {
  const tables = new SqliteTables(database);
  const beforeCall = () => refuseOpenTransaction(database);
  return {
    ...checkedStore(new LocalBackend(tables), { beforeCall }),
    client: database,
    async transaction(run) {
      checkRun(run);
      beforeCall();
      return inTransaction(database, tables.documents, run);
    },
    close,
  };
}

/**
 * Creates a store in a SQLite file, for all processes of one machine. Use it if your service has no database server.
 *
 * Requires `node:sqlite`, available from Node 22.13 on. Opening creates the file and its tables; only the owner may read a
 * file that it creates. A call returns after its record is on disk. The file must not be on a network drive, where locks do
 * not work. The store deletes expired records by itself, so it needs no purge.
 *
 * The file keeps the highest time it has seen. Leases and retentions use the machine's clock, but their time never goes back.
 * If that clock jumps ahead by over a day, also after a restart, their time goes on as before until the process has run for
 * 24 hours. So a wrong clock deletes no record, and after a long pause a retention lasts longer. Counted attempts use the
 * machine's clock as it is.
 *
 * A call blocks the event loop while it writes to disk, usually for less than a few milliseconds.
 *
 * @param path The path of the file, used by this store only. `memoryStore` needs no file.
 * @throws ConfigurationError when an option is wrong, the runtime has no `node:sqlite`, or the file belongs to another
 *   program. Errors of SQLite and of the file system, such as `ENOENT` for a missing folder, pass through unchanged.
 */
export function sqliteStore(path: string, options?: SqliteStoreOptions): SqliteStore;
/**
 * Creates a store beside your own tables, so that a `transaction` changes both. The names of its tables start with `payments_`, and it
 * creates them. It leaves `application_id`, `user_version` and `journal_mode` as they are, and `close()` does not close your database. A
 * database in memory is allowed: your rows and the records end together.
 *
 * It changes two settings of your connection. It raises `PRAGMA synchronous` to `FULL` if it is lower, since a record that a power failure
 * undoes could repeat a payment. It sets `busy_timeout` if that is 0, since every call would fail while another process writes.
 *
 * A call while your own transaction is open on the connection is refused, since it would become part of it. Use `transaction`, or commit
 * first.
 *
 * @param database An open `DatabaseSync` of `node:sqlite` of Node 22.16 or newer, in UTF-8.
 * @throws ConfigurationError when an option or the database is wrong, has a table of the same name, or has an open transaction. Errors of
 *   SQLite pass through unchanged.
 */
export function sqliteStore<Database extends SqliteDatabase>(
  database: Database,
  options?: SqliteStoreOptions,
): SqliteStore<Database>;
export function sqliteStore<Database extends SqliteDatabase>(
  place: string | Database,
  options: SqliteStoreOptions = {},
): SqliteStore | SqliteStore<Database> {
  const isDatabase = isRecord(place);
  if (isDatabase) checkDatabase(place);
  else checkOptions('sqliteStore.path', pathSchema, place, 'Use memoryStore for a store without a file.');
  checkOptions('sqliteStore', optionsSchema, options);
  const { busyTimeout = 5000 } = options;
  if (isDatabase) {
    joinDatabase(place, busyTimeout);
    return storeIn(place, () => {});
  }
  const file = openStoreFile(place, busyTimeout);
  let isOpen = true;
  return storeIn<SqliteDatabase>(file, () => {
    if (isOpen) file.close();
    isOpen = false;
  });
}
