import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { maxTimer } from '../../base/numbers.ts';
import { checkOptions, optionsOf, timeFrom } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { minute } from '../../base/time.ts';
import { checkedStore, type PageQuery } from '../checked-store.ts';
import { type ClaimRecord, isOpen } from '../records/claim.ts';
import { LocalBackend, type LocalTables } from '../records/local-backend.ts';
import type { Bucket, Part, VelocityRecords } from '../records/velocity-count.ts';
import type { KeptSnapshot, ScanQuery, Store } from '../store.ts';
import { SqliteClock } from './clock.node.ts';
import { beginAlone, commit, openStoreFile, rollBack } from './file.node.ts';
import { SqliteLists } from './lists.node.ts';

/** Options of {@link sqliteStore}. */
type SqliteStoreOptions = {
  /** How long a call waits while another process writes, in ms. It blocks the event loop. Default: 5000. */
  readonly busyTimeout?: number | undefined;
};

/** A store in a SQLite file. */
export interface SqliteStore extends Store {
  /** Closes the file. Later calls fail. */
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

function statementsOf(database: DatabaseSync) {
  return {
    find: database.prepare(`SELECT ${columns} FROM claim WHERE key = ?`),
    put: database.prepare(`INSERT OR REPLACE INTO claim (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`),
    open: database.prepare(
      `SELECT ${columns} FROM claim WHERE space = ? AND (since, key) > (?, ?) ORDER BY since, key LIMIT ?`,
    ),
    count: database.prepare('SELECT count(*) AS count FROM claim WHERE space = ?'),
    // `0` is the character after `/`: the range has the keys of the space, and a few others.
    scan: database.prepare(
      `SELECT ${columns} FROM claim WHERE key >= ?1 AND key < ?1 || '0' AND key > ?2 AND data IS NOT NULL
      AND substr(key, 1, instr(key || '/', '/') - 1) = ?1 ORDER BY key LIMIT ?3`,
    ),
    putSnapshot: database.prepare('INSERT OR REPLACE INTO snapshot (key, version, data) VALUES (?, ?, ?)'),
    snapshot: database.prepare('SELECT version, data FROM snapshot WHERE key = ?'),
    highest: database.prepare('SELECT highest FROM clock'),
    firstHighest: database.prepare('INSERT INTO clock (highest) VALUES (?)'),
    advanceHighest: database.prepare('UPDATE clock SET highest = ?'),
    purgeClaims: database.prepare(
      `DELETE FROM claim WHERE rowid IN
      (SELECT rowid FROM claim WHERE forget <= ? ORDER BY forget LIMIT ${purgeBatch})`,
    ),
    purgeVelocity: database.prepare(
      `DELETE FROM velocity WHERE rowid IN
      (SELECT rowid FROM velocity WHERE forget <= ? ORDER BY forget LIMIT ${purgeBatch})`,
    ),
  };
}

type Row = Readonly<Record<string, SQLOutputValue>>;

const textOf = (value: SQLOutputValue | undefined) => (typeof value === 'string' ? value : undefined);

function recordOf(row: Row): ClaimRecord {
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
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #buckets: SqliteLists<Bucket>;
  readonly #parts: SqliteLists<Part>;
  readonly #clock = new SqliteClock();
  #isOpen = true;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = statementsOf(database);
    this.#buckets = new SqliteLists(database, 'key ');
    this.#parts = new SqliteLists(database, 'attempt ');
  }

  /** Begins a transaction. Reads the time once no other process writes. */
  begin(): number {
    beginAlone(this.#database);
    const highest = this.#highest();
    const now = this.#clock.read(highest);
    if (highest === undefined) this.#statements.firstHighest.run(now);
    else if (now - highest >= clockPrecision) this.#statements.advanceHighest.run(now);
    return now;
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

  open({ space, after = { since: 0, key: '' }, limit }: PageQuery): ReturnType<LocalTables['open']> {
    const rows = this.#statements.open.all(space, after.since, after.key, limit).map(recordOf).filter(isOpen);
    return { rows, count: Number(this.#statements.count.get(space)?.['count']) };
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

  close(): void {
    if (this.#isOpen) this.#database.close();
    this.#isOpen = false;
  }

  /** Returns the highest time that a process has stored; `undefined` in a new file. */
  #highest(): number | undefined {
    const row = this.#statements.highest.get();
    return row && Number(row['highest']);
  }
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
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  checkOptions('sqliteStore.path', pathSchema, path, 'Use memoryStore for a store without a file.');
  checkOptions('sqliteStore', optionsSchema, options);
  const tables = new SqliteTables(openStoreFile(path, options.busyTimeout ?? 5000));
  return { ...checkedStore(new LocalBackend(tables)), close: () => tables.close() };
}
