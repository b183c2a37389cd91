import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { checkOptions } from '../base/check-options.ts';
import { maxTimer } from '../base/integer.ts';
import { optionsOf, timeFrom } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { minute } from '../base/time.ts';
import {
  checkAdvance,
  checkClaim,
  checkComplete,
  checkNoClient,
  checkOpen,
  checkRelease,
  checkRenew,
} from './checks.ts';
import type { Snapshot } from './snapshot-store.ts';
import { SqliteClock } from './sqlite-clock.node.ts';
import { openStoreFile, writeAlone } from './sqlite-file.node.ts';
import { sqliteVelocity } from './sqlite-velocity.node.ts';
import type {
  ClaimOptions,
  ClaimResult,
  KeyOptions,
  OpenClaim,
  OpenQuery,
  ReleaseOptions,
  Store,
} from './store.ts';
import type { TransactionOptions } from './transaction-options.ts';
import { countAttempt, takeBackAttempt, type VelocityRecords } from './velocity-count.ts';
import type { VelocityEntry, VelocityTotal } from './velocity-store.ts';

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

const optionsSchema = optionsOf<SqliteStoreOptions>(() => ({
  busyTimeout: s.optional(timeFrom(0, maxTimer)),
}));

const pathExpectation = 'the path of a file';
const isFile = (path: string) => path !== '' && path !== ':memory:' && !/^file:|\0/.test(path);
const pathSchema = s.lazily(() => s.string(pathExpectation).check(s.refine(isFile, pathExpectation)));

/** How often the highest time is stored, in ms. A refused claim must not write to disk each time. */
const clockPrecision = minute;

/** How many expired records an operation deletes: more than it adds, and few enough to cost little. */
const purgeBatch = 10;

function statementsOf(database: DatabaseSync) {
  return {
    find: database.prepare('SELECT token, attempt, completed, since, until, data FROM claim WHERE key = ?'),
    put: database.prepare(
      `INSERT OR REPLACE INTO claim (key, token, attempt, completed, since, until, data)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    open: database.prepare(
      `SELECT key, data, attempt, since, until FROM claim
      WHERE data IS NOT NULL AND NOT completed AND key >= ?1 AND key > ?2 AND substr(key, 1, length(?1)) = ?1
      ORDER BY key LIMIT ?3`,
    ),
    advance: database.prepare(
      `INSERT INTO snapshot (key, version, data) VALUES (?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET version = excluded.version, data = excluded.data
      WHERE version < excluded.version`,
    ),
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

/** A row of the table of claims. */
interface Entry {
  readonly token: string | undefined;
  readonly attempt: number;
  readonly completed: boolean;
  readonly since: number;
  readonly until: number;
  readonly data: string | undefined;
}

/** Returns whether the retention of a completed or released key is over. */
function isForgotten({ completed, until }: Entry, now: number): boolean {
  return completed && until <= now;
}

const textOf = (value: SQLOutputValue | undefined) => (typeof value === 'string' ? value : undefined);

class SqliteFileStore implements SqliteStore {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #velocity: VelocityRecords;
  readonly #clock = new SqliteClock();
  #isOpen = true;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = statementsOf(database);
    this.#velocity = sqliteVelocity(database);
  }

  async claim(key: string, lease: number, options?: ClaimOptions): Promise<ClaimResult> {
    checkClaim({ key, lease }, options);
    checkNoClient(options);
    const { token = crypto.randomUUID() } = options ?? {};
    return this.#transaction((now) => {
      const known = this.#find(key);
      const isResent = known?.token === token && !known.completed;
      if (known?.token !== undefined && known.until > now && !isResent) {
        const { data } = known;
        if (known.completed) return { status: 'completed', data };
        return { status: 'in_progress', retryAfter: known.until - now, data };
      }
      const isNew = known === undefined || isForgotten(known, now);
      const before = isNew ? { attempt: 0, since: now, data: options?.data } : known;
      const [attempt, { since, data }] = [before.attempt + (isResent ? 0 : 1), before];
      this.#put(key, { token, attempt, completed: false, since, until: now + lease, data });
      this.#statements.purgeClaims.run(now);
      return { status: 'claimed', token, attempt, data };
    });
  }

  async complete(key: string, token: string, retention: number, options?: KeyOptions): Promise<boolean> {
    checkComplete({ key, token, retention }, options);
    checkNoClient(options);
    return this.#transaction((now) => {
      const known = this.#find(key);
      if (known === undefined || known.token !== token) return false;
      if (isForgotten(known, now)) return false;
      // A second call may extend the retention of the first, but never shorten it.
      const until = Math.max(now + retention, known.completed ? known.until : 0);
      this.#put(key, { ...known, completed: true, until, data: options?.data ?? known.data });
      return true;
    });
  }

  async renew(key: string, token: string, lease: number, options?: KeyOptions): Promise<boolean> {
    checkRenew({ key, token, lease }, options);
    checkNoClient(options);
    return this.#transaction((now) => {
      const known = this.#find(key);
      if (known === undefined || known.token !== token || known.completed) return false;
      this.#put(key, { ...known, until: now + lease, data: options?.data ?? known.data });
      return true;
    });
  }

  async release(key: string, token: string, options?: ReleaseOptions): Promise<boolean> {
    checkRelease({ key, token }, options);
    checkNoClient(options);
    return this.#transaction((now) => {
      const known = this.#find(key);
      if (known === undefined || known.token !== token || known.completed) return false;
      const { data = known.data, retention } = options ?? {};
      const [completed, until] = [retention !== undefined, now + (retention ?? 0)];
      this.#put(key, { ...known, token: undefined, completed, until, data });
      return true;
    });
  }

  async open(query: OpenQuery): Promise<readonly OpenClaim[]> {
    checkOpen(query);
    const { prefix, after = '', limit } = query;
    const now = this.#clock.read(this.#highest());
    return this.#statements.open.all(prefix, after, limit).map((row) => ({
      key: String(row['key']),
      data: String(row['data']),
      attempt: Number(row['attempt']),
      leased: Math.max(0, Number(row['until']) - now),
      age: Math.max(0, now - Number(row['since'])),
    }));
  }

  async countAttempt(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    return this.#transaction((time) => {
      // Windows end by the machine's clock, and so does the `retryAt` of a guard.
      const now = Date.now();
      this.#statements.purgeVelocity.run(Math.min(now, time));
      return countAttempt(this.#velocity, now, id, entries);
    });
  }

  async takeBackAttempt(id: string, keys: readonly string[]): Promise<void> {
    this.#transaction(() => takeBackAttempt(this.#velocity, id, keys));
  }

  async advance(key: string, version: number, data: string, options?: TransactionOptions): Promise<Snapshot> {
    checkAdvance({ key, version, data }, options);
    checkNoClient(options);
    return this.#transaction(() => {
      this.#statements.advance.run(key, version, data);
      const row = this.#statements.snapshot.get(key);
      return { version: Number(row?.['version']), data: String(row?.['data']) };
    });
  }

  close(): void {
    if (this.#isOpen) this.#database.close();
    this.#isOpen = false;
  }

  #find(key: string): Entry | undefined {
    const row = this.#statements.find.get(key);
    return (
      row && {
        token: textOf(row['token']),
        attempt: Number(row['attempt']),
        completed: row['completed'] === 1,
        since: Number(row['since']),
        until: Number(row['until']),
        data: textOf(row['data']),
      }
    );
  }

  #put(key: string, { token, attempt, completed, since, until, data }: Entry): void {
    const values = [key, token ?? null, attempt, completed ? 1 : 0, since, until, data ?? null];
    this.#statements.put.run(...values);
  }

  /** Returns the highest time that a process has stored; `undefined` in a new file. */
  #highest(): number | undefined {
    const row = this.#statements.highest.get();
    return row && Number(row['highest']);
  }

  /** Runs the work in a transaction. Reads the time once no other process writes. */
  #transaction<Result>(work: (now: number) => Result): Result {
    return writeAlone(this.#database, () => {
      const highest = this.#highest();
      const now = this.#clock.read(highest);
      if (highest === undefined) this.#statements.firstHighest.run(now);
      else if (now - highest >= clockPrecision) this.#statements.advanceHighest.run(now);
      return work(now);
    });
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
  return new SqliteFileStore(openStoreFile(path, options.busyTimeout ?? 5000));
}
