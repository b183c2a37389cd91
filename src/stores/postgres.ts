import { checkOptions } from '../base/check-options.ts';
import { optionsOf, unchecked } from '../base/options.ts';
import {
  checkAdvance,
  checkClaim,
  checkComplete,
  checkOpen,
  checkRecord,
  checkRelease,
  checkRenew,
} from './checks.ts';
import { checkConnection, type PostgresClient } from './postgres-client.ts';
import {
  claimStatements,
  expiredRows,
  partsStatement,
  purgeBatch,
  purgeBlocks,
  purgeStatement,
  snapshotStatements,
  velocityStatements,
} from './postgres-statements.ts';
import {
  creation,
  defaultTable,
  inspection,
  isCurrent,
  schemaOf,
  type Tables,
  tablesOf,
} from './postgres-table.ts';
import type { Snapshot } from './snapshot-store.ts';
import type {
  ClaimOptions,
  ClaimResult,
  KeyOptions,
  OpenClaim,
  OpenQuery,
  RecordOptions,
  ReleaseOptions,
  Store,
  TransactionClaims,
} from './store.ts';
import type { TransactionOptions } from './transaction-options.ts';
import type { VelocityEntry, VelocityTotal } from './velocity-store.ts';
import { bucketEnd, bucketWidth } from './velocity-window.ts';

/** Options of {@link postgresStore}. */
type PostgresStoreOptions = {
  /**
   * The table of claims, optionally after its schema and a dot. It is quoted, so it is case-sensitive. The other tables
   * have its name with `_velocity` and `_snapshots`, and the functions with `_record`, `_count` and `_take_back`. Default:
   * `payments_claims`.
   */
  readonly table?: string | undefined;
};

const optionsSchema = optionsOf<PostgresStoreOptions>(() => ({ table: unchecked() }));

/** A store in PostgreSQL tables. */
export interface PostgresStore extends Store<PostgresClient>, TransactionClaims<PostgresClient> {
  /**
   * The SQL that creates the tables, indexes and functions of this store, for your own migration. It is idempotent. Run its
   * statements without parameters.
   */
  readonly schema: string;
  /**
   * Creates the tables, and whatever of them is missing, as after a partial restore. Call it when your program starts: if all
   * is there, it takes no table locks and needs no right to create. Several processes may call it concurrently.
   *
   * @throws ConfigurationError for tables of another version, or with the same names and other columns.
   */
  migrate(): Promise<void>;
  /**
   * Deletes expired records: keys after their retention, claims without data a week after their lease expired, and counted
   * attempts after their window. Run it daily, since nothing else deletes a record; a key released with a `retention` stays
   * known until then. It reads each table once, a MiB at a time, and deletes at most 1000 records per transaction. It can
   * run at the same time as any other call, even a second `purge`.
   *
   * @returns How many records it deleted.
   */
  purge(): Promise<number>;
}

type Options = KeyOptions<PostgresClient>;
type InTransaction = TransactionOptions<PostgresClient>;
type Rows = Awaited<ReturnType<PostgresClient['query']>>['rows'];

/** How often to retry a claim whose record disappears before it is read. More retries would hide a defect. */
const maxTries = 3;

/** When to try again after another transaction kept the key, in ms: nobody knows when that transaction ends. */
const lockedFor = 1000;

class PostgresTableStore implements PostgresStore {
  readonly #pool: PostgresClient;
  readonly #tables: Tables;
  readonly #claims: ReturnType<typeof claimStatements>;
  readonly #velocity: ReturnType<typeof velocityStatements>;
  readonly #snapshots: ReturnType<typeof snapshotStatements>;
  readonly #expired: ReturnType<typeof expiredRows>;

  constructor(pool: PostgresClient, tables: Tables) {
    this.#pool = pool;
    this.#tables = tables;
    this.#claims = claimStatements(tables);
    this.#velocity = velocityStatements(tables);
    this.#snapshots = snapshotStatements(tables);
    this.#expired = expiredRows(tables);
  }

  get schema(): string {
    return schemaOf(this.#tables);
  }

  async migrate(): Promise<void> {
    const [row = {}] = await this.#query(this.#pool, inspection(this.#tables), []);
    if (isCurrent(this.#tables, row)) return;
    await this.#query(this.#pool, creation(this.#tables), []);
  }

  async claim(key: string, lease: number, options?: ClaimOptions<PostgresClient>): Promise<ClaimResult> {
    checkClaim({ key, lease }, options);
    const client = this.#connection('claim', options);
    return this.#granted(key, client, () => this.#take(key, lease, client, options));
  }

  async record(key: string, retention: number, options: RecordOptions<PostgresClient>): Promise<ClaimResult> {
    checkRecord({ key, retention }, options);
    const { client, lease } = options;
    checkConnection('record.client', client);
    return this.#granted(key, client, async () => {
      const token = crypto.randomUUID();
      const [row] = await this.#query(client, this.#claims.record, [key, token, retention, lease ?? null]);
      if (row?.['attempt'] === 0) return { status: 'in_progress', retryAfter: lockedFor, data: undefined };
      return typeof row?.['attempt'] === 'number' ? claimedOf(token, row) : undefined;
    });
  }

  async complete(key: string, token: string, retention: number, options?: Options): Promise<boolean> {
    checkComplete({ key, token, retention }, options);
    const client = this.#connection('complete', options);
    const values = [key, token, retention, options?.data ?? null];
    const rows = await this.#query(client, this.#claims.complete, values);
    return rows.length > 0;
  }

  async renew(key: string, token: string, lease: number, options?: Options): Promise<boolean> {
    checkRenew({ key, token, lease }, options);
    const client = this.#connection('renew', options);
    const rows = await this.#query(client, this.#claims.extend, [key, token, lease, options?.data ?? null]);
    return rows.length > 0;
  }

  async release(key: string, token: string, options?: ReleaseOptions<PostgresClient>): Promise<boolean> {
    checkRelease({ key, token }, options);
    const client = this.#connection('release', options);
    const values = [key, token, options?.retention ?? null, options?.data ?? null];
    const rows = await this.#query(client, this.#claims.release, values);
    return rows.length > 0;
  }

  async open(query: OpenQuery): Promise<readonly OpenClaim[]> {
    checkOpen(query);
    const { prefix, after = '', limit } = query;
    const rows = await this.#query(this.#pool, this.#claims.open, [prefix, after, limit]);
    return rows.map((row) => ({
      key: String(row['key']),
      data: String(row['data']),
      attempt: Number(row['attempt']),
      leased: Number(row['leased']),
      age: Number(row['age']),
    }));
  }

  async countAttempt(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    const values = entries.map(({ key, amount, limit, windowMs, blocks }) => ({
      key,
      amount: String(amount),
      most: String(limit),
      span: windowMs,
      width: bucketWidth(windowMs),
      blocks,
    }));
    const rows = await this.#query(this.#pool, this.#velocity.count, [id, JSON.stringify(values)]);
    const byKey = new Map(rows.map((row) => [row['key'], row]));
    return entries.map(({ key, windowMs }) => totalOf(byKey.get(key), windowMs));
  }

  async takeBackAttempt(id: string, keys: readonly string[]): Promise<void> {
    await this.#query(this.#pool, this.#velocity.takeBack, [id, keys]);
  }

  async advance(key: string, version: number, data: string, options?: InTransaction): Promise<Snapshot> {
    checkAdvance({ key, version, data }, options);
    const client = this.#connection('advance', options);
    const [advanced] = await this.#query(client, this.#snapshots.advance, [key, version, data]);
    const [row] = advanced ? [advanced] : await this.#query(client, this.#snapshots.find, [key]);
    // Another process deleted it in between.
    if (row === undefined) return this.advance(key, version, data, options);
    return { version: Number(row['version']), data: String(row['data']) };
  }

  async purge(): Promise<number> {
    let total = 0;
    for (const { table, condition } of this.#expired) {
      for (const { part, blocks } of await this.#query(this.#pool, partsStatement, [table])) {
        const statement = purgeStatement(String(part), condition);
        for (let first = 0; first < Number(blocks); first += purgeBlocks) {
          total += await this.#purgeFrom(first, statement);
        }
      }
    }
    return total;
  }

  /** Purges some blocks. Only a full batch leaves expired records behind. */
  async #purgeFrom(first: number, statement: string): Promise<number> {
    const values = [`(${first},0)`, `(${first + purgeBlocks},0)`];
    const [row] = await this.#query(this.#pool, statement, values);
    const deleted = Number(row?.['deleted']);
    return deleted < purgeBatch ? deleted : deleted + (await this.#purgeFrom(first, statement));
  }

  /** Returns the connection of the caller's transaction, or the pool. */
  #connection(operation: string, { client = this.#pool }: InTransaction = {}): PostgresClient {
    checkConnection(`${operation}.client`, client);
    return client;
  }

  /** Returns the claim, or the reason why the key is not free. The record may disappear or become free before it is read. */
  async #granted(
    key: string,
    client: PostgresClient,
    take: () => Promise<ClaimResult | undefined>,
  ): Promise<ClaimResult> {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const result = (await take()) ?? (await this.#find(key, client));
      if (result !== undefined) return result;
    }
    return { status: 'in_progress', retryAfter: 1, data: undefined };
  }

  /** Claims the key if it is free. */
  async #take(
    key: string,
    lease: number,
    client: PostgresClient,
    { data, token = crypto.randomUUID() }: ClaimOptions<PostgresClient> = {},
  ): Promise<ClaimResult | undefined> {
    const values = [key, token, lease, data ?? null];
    let [row] = await this.#query(client, this.#claims.insert, values);
    if (row === undefined) [row] = await this.#query(client, this.#claims.claim, values);
    while (row?.['is_late'] === true) {
      [row] = await this.#query(client, this.#claims.renew, [key, token, lease]);
    }
    return row && claimedOf(token, row);
  }

  /**
   * Returns why the key is not free. A separate statement, since one statement does not see commits made while it
   * waited; at READ COMMITTED, a transaction sees them with its next statement.
   */
  async #find(key: string, client: PostgresClient): Promise<ClaimResult | undefined> {
    const [row] = await this.#query(client, this.#claims.find, [key]);
    if (row === undefined) return undefined;
    const [{ rest }, data] = [row, dataOf(row)];
    if (rest === null) return { status: 'completed', data };
    return { status: 'in_progress', retryAfter: Number(rest), data };
  }

  async #query(client: PostgresClient, text: string, values: unknown[]): Promise<Rows> {
    return (await client.query(text, values)).rows;
  }
}

function claimedOf(token: string, row: Rows[number]): ClaimResult {
  return { status: 'claimed', token, attempt: Number(row['attempt']), data: dataOf(row) };
}

function dataOf({ data }: Rows[number]): string | undefined {
  return typeof data === 'string' ? data : undefined;
}

function totalOf(row: Rows[number] = {}, windowMs: number): VelocityTotal {
  return {
    total: BigInt(String(row['total'])),
    exceeded: row['exceeded'] === true,
    freeAt: bucketEnd(Number(row['oldest']), windowMs),
  };
}

/**
 * Creates a store in tables of PostgreSQL 14 or newer, for all processes that share it. It uses the database's clock, so the
 * clocks of your machines do not matter.
 *
 * Create the tables and functions with `migrate()`, or with the text `schema` in your own migration. Run `purge()` daily. A
 * function counts an attempt in one round trip. If the pool's default is REPEATABLE READ or SERIALIZABLE, it may fail with
 * the code `40001`: check again with the same `id`.
 *
 * **In your transaction.** Pass your own connection as `client` in the options. The call then becomes part of the
 * connection's open transaction: your effect and the record of it commit together, or neither does. So an event whose effect
 * has happened is never handled again.
 *
 * - While a transaction that claimed or completed a key is open, another claim of that key waits until it ends, even beyond
 *   its lease. If it committed, the other then returns `completed`, or `in_progress` if the key was only claimed. `record`
 *   waits at most 2 s, and then returns `in_progress`. For the other calls, set `lock_timeout`.
 * - A claim that is not granted locks the record until your transaction ends, so end it soon.
 * - If the effect is in the same database, `record` claims and completes the key in one statement.
 * - If `complete` returns false, another claim took over: roll back.
 * - If the transaction rolls back, so does a claim within it, and its attempt is not counted.
 * - READ COMMITTED, the default, is enough. At REPEATABLE READ and SERIALIZABLE PostgreSQL rejects a statement with the code
 *   `40001` if another transaction changed the record after yours began: roll back and retry the whole transaction.
 *
 * @param pool A `Pool` of `pg`, or any object with its `query`. The store never closes it. No transaction may be open on it:
 *   pass a transaction to each call instead.
 * @throws ConfigurationError when the pool or an option is wrong. Errors of `query` pass through unchanged.
 */
export function postgresStore(pool: PostgresClient, options: PostgresStoreOptions = {}): PostgresStore {
  checkConnection('postgresStore.pool', pool);
  checkOptions('postgresStore', optionsSchema, options);
  return new PostgresTableStore(pool, tablesOf(options.table ?? defaultTable));
}
