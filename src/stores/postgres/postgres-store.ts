import { checkOptions, functionOf, optionsOf, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { type Backend, checkedStore, type PageQuery } from '../checked-store.ts';
import { checkCall, defaultTimeout, type TimeoutOptions, timeoutFields } from '../checks.ts';
import { inTime } from '../in-time.ts';
import type { DocumentSave } from '../records/document.ts';
import { bucketWidth } from '../records/velocity-window.ts';
import type {
  AdvancedSnapshot,
  ClaimOptions,
  ClaimResult,
  DueDocument,
  DueQuery,
  KeptDocument,
  KeptKey,
  KeyedOptions,
  OpenPage,
  RecordOptions,
  ReleaseOptions,
  ScanPage,
  ScanQuery,
  Store,
  TransactionOptions,
  VelocityEntry,
  VelocityTotal,
} from '../store.ts';
import { checkConnection, type PostgresClient } from './client.ts';
import { type TransactionOption, transactionsOf } from './connections.ts';
import { PostgresDocuments } from './documents.ts';
import { durabilityOf } from './durability.ts';
import { Queries } from './queries.ts';
import { claimedOf, dataOf, pageOf, totalOf } from './rows.ts';
import {
  checkStatement,
  claimStatements,
  expiredRows,
  isServerStatement,
  partsStatement,
  purgeBatch,
  purgeBlocks,
  purgeStatement,
  snapshotStatements,
} from './statements.ts';
import { creation, defaultTable, inspection, isCurrent, schemaOf, type Tables, tablesOf } from './table.ts';
import { DocumentTransactions, type PostgresRun } from './transaction.ts';

/** Options of {@link postgresStore}. */
type PostgresStoreOptions = TimeoutOptions & {
  /**
   * The table of claims, optionally after its schema and a dot. It is quoted, so it is case-sensitive. The other tables
   * have its name with `_velocity`, `_snapshots`, `_documents` and `_references`, and the functions with `_record`, `_check`,
   * `_save`, `_open_page`, `_due_page` and `_server`. Default: `payments_claims`.
   */
  readonly table?: string | undefined;
  /**
   * Runs a function in a transaction of the store's database, and commits when its promise resolves: for `transaction` of the store, if the
   * client is neither a `Pool` of `pg` nor a `PGlite`. It may run the function again after a failure. READ COMMITTED is enough. Default: a
   * connection of the pool.
   *
   * @example
   * postgresStore(connection, { transaction: (run) => database.transaction(run) });
   */
  readonly transaction?: TransactionOption | undefined;
};

const optionsSchema = /* @__PURE__ */ optionsOf<PostgresStoreOptions>(() => ({
  table: unchecked(),
  transaction: s.optional(functionOf<TransactionOption>()),
  ...timeoutFields(),
}));

/** A store in PostgreSQL tables. */
export interface PostgresStore extends Store<PostgresClient> {
  /** The pool that `postgresStore` got, or the other client. */
  readonly client: PostgresClient;
  /** Claims and completes a key within your transaction, as {@link Store.record} does. */
  readonly record: NonNullable<Store<PostgresClient>['record']>;
  /**
   * Runs a function in a transaction at READ COMMITTED on a connection of the pool, and commits when its promise resolves. If it rejects,
   * the transaction is rolled back, and this promise rejects with the same error.
   *
   * `documents.load` locks a document until the end. A call that waits for the lock of another transaction does so until the
   * `lock_timeout` of the database. After a `STORE_REFERENCE_TAKEN` the transaction can go on.
   *
   * The function must not end the transaction, and must finish all its calls: `documents` fail after its end. Use `client` and `documents`
   * alone in it: other calls of the store see nothing of the transaction, and need another connection of the pool.
   *
   * The wait for a connection takes at most the `timeout` of the store. Your function takes as long as it takes. If its process stops, its locks
   * last until the connection ends, or until the `idle_in_transaction_session_timeout` of the database.
   *
   * @returns What the function returned, once the transaction is committed.
   * @throws PaymentsError `STORE_TIMEOUT` if no connection is free in time: the function was not called.
   * @throws ConfigurationError if the store cannot start a transaction, or the function hid the error of a statement, which rolls it back.
   *   Errors of the client pass through unchanged; after one of the COMMIT nobody knows whether the transaction is committed.
   *
   * @example
   * await store.transaction(async (client, documents) => {
   *   const order = await documents.load('shop/order_1');
   *   await client.query('UPDATE orders SET shipped = true WHERE id = $1', ['order_1']);
   *   await documents.save('shop/order_1', order?.version ?? 0, '{}', { wakeAt: null });
   * });
   */
  transaction<Result>(run: PostgresRun<Result>): Promise<Result>;
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

/** A claim to take. */
interface Taking {
  readonly key: string;
  readonly token: string;
  /** In ms. */
  readonly lease: number;
  readonly data: string | undefined;
  readonly takeOver: boolean;
}

/** How often to retry a claim whose record disappears before it is read. More retries would hide a defect. */
const maxTries = 3;

/** When to try again after another transaction kept the key, in ms: nobody knows when that transaction ends. */
const lockedFor = 1000;

class PostgresBackend implements Backend<PostgresClient> {
  readonly #pool: PostgresClient;
  readonly #tables: Tables;
  readonly #claims: ReturnType<typeof claimStatements>;
  readonly #check: string;
  readonly #snapshots: ReturnType<typeof snapshotStatements>;
  readonly #expired: ReturnType<typeof expiredRows>;
  readonly #queries: Queries;
  readonly documents: PostgresDocuments;
  #isServer: boolean | undefined;

  constructor(pool: PostgresClient, tables: Tables) {
    this.#pool = pool;
    this.#tables = tables;
    this.#claims = claimStatements(tables);
    this.#check = checkStatement(tables);
    this.#snapshots = snapshotStatements(tables);
    this.#expired = expiredRows(tables);
    this.#queries = new Queries(pool, tables);
    this.documents = new PostgresDocuments(this.#queries, pool, tables);
  }

  get schema(): string {
    return schemaOf(this.#tables);
  }

  async migrate(): Promise<void> {
    // A function that is missing here is one of the server: to call `migrate` would not help.
    const [row = {}] = (await this.#pool.query(inspection(this.#tables), [])).rows;
    if (isCurrent(this.#tables, row)) return;
    await this.#pool.query(creation(this.#tables, row), []);
  }

  async claim(
    key: string,
    token: string,
    lease: number,
    { data, takeOver = false, client = this.#pool }: ClaimOptions<PostgresClient> = {},
  ): Promise<ClaimResult> {
    const claim = { key, token, lease, data, takeOver };
    return this.#granted(key, client, () => this.#take(client, claim));
  }

  async record(key: string, retention: number, options: RecordOptions<PostgresClient>): Promise<ClaimResult> {
    checkCall('record', { key, retention }, options);
    const { client, lease } = options;
    checkConnection('record.client', client);
    const idleTime = lease !== undefined && (await this.#mayEnd(client)) ? lease : null;
    return this.#granted(key, client, async () => {
      const token = crypto.randomUUID();
      const [row] = await this.#queries.run(client, this.#claims.record, [key, token, retention, idleTime]);
      if (row?.['attempt'] === 0) return { status: 'in_progress', retryAfter: lockedFor, data: undefined };
      return typeof row?.['attempt'] === 'number' ? claimedOf(token, row) : undefined;
    });
  }

  async complete(
    key: string,
    token: string,
    retention: number,
    { data, client }: KeyedOptions<PostgresClient> = {},
  ): Promise<boolean> {
    return this.#changes(client, this.#claims.complete, [key, token, retention, data ?? null], data);
  }

  async renew(
    key: string,
    token: string,
    lease: number,
    { data, client }: KeyedOptions<PostgresClient> = {},
  ): Promise<boolean> {
    return this.#changes(client, this.#claims.extend, [key, token, lease, data ?? null], data);
  }

  async release(
    key: string,
    token: string,
    { retention, data, client }: ReleaseOptions<PostgresClient> = {},
  ): Promise<boolean> {
    return this.#changes(client, this.#claims.release, [key, token, retention ?? null, data ?? null], data);
  }

  async list({ space, after = { since: 0, key: '' }, limit, counts = false }: PageQuery): Promise<OpenPage> {
    const values = [space, after.since, after.key, limit, counts];
    return pageOf(await this.#queries.run(this.#pool, this.#claims.open, values));
  }

  async find(
    key: string,
    { client = this.#pool }: TransactionOptions<PostgresClient> = {},
  ): Promise<KeptKey | undefined> {
    const [row] = await this.#queries.run(client, this.#claims.find, [key]);
    return row && { completed: row['completed'] === true, data: dataOf(row) };
  }

  async scan({ space, after = '', limit }: ScanQuery): Promise<ScanPage> {
    const rows = await this.#queries.run(this.#pool, this.#claims.scan, [space, after, limit]);
    const found = rows.map(({ key, data }) => ({ key: String(key), data: String(data) }));
    return { found, next: found.length < limit ? undefined : found.at(-1)?.key };
  }

  async replace(key: string, data: string, replacement: string): Promise<boolean> {
    return this.#changes(undefined, this.#claims.replace, [key, data, replacement], data);
  }

  async findOpen(key: string): Promise<OpenPage> {
    return pageOf(await this.#queries.run(this.#pool, this.#claims.findOpen, [key]));
  }

  async check(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    const values = entries.map(({ key, amount, limit, windowMs, blocks, token, keeps = false }) => ({
      key,
      amount: String(amount),
      most: String(limit),
      span: windowMs,
      width: bucketWidth(windowMs),
      blocks,
      token,
      keeps,
    }));
    const rows = await this.#queries.run(this.#pool, this.#check, [id, JSON.stringify(values)]);
    const byKey = new Map(rows.map((row) => [row['key'], row]));
    return entries.map(({ key, windowMs }) => totalOf(byKey.get(key), windowMs));
  }

  async advance(
    key: string,
    version: number,
    data: string,
    options: TransactionOptions<PostgresClient> = {},
  ): Promise<AdvancedSnapshot> {
    const { client = this.#pool } = options;
    const [row] = await this.#queries.run(client, this.#snapshots.find, [key]);
    const previous = row && { version: Number(row['version']), data: String(row['data']) };
    if (previous !== undefined && previous.version >= version) {
      return { advanced: false, current: previous, previous };
    }
    const known = previous?.version ?? null;
    const values = [key, version, data, known, durabilityOf(data, client, this.#pool)];
    const [stored] = await this.#queries.run(client, this.#snapshots.replace, values);
    if (stored !== undefined) return { advanced: true, current: { version, data }, previous };
    // Another process stored another one in between.
    return this.advance(key, version, data, options);
  }

  load(key: string): Promise<KeptDocument | undefined> {
    return this.documents.load(key);
  }

  save(document: DocumentSave): Promise<boolean> {
    return this.documents.save(document);
  }

  lookUp(reference: string): Promise<string | undefined> {
    return this.documents.lookUp(reference);
  }

  due(query: DueQuery): Promise<readonly DueDocument[]> {
    return this.documents.due(query);
  }

  async purge(): Promise<number> {
    let total = 0;
    for (const { table, condition } of this.#expired) {
      for (const { part, blocks } of await this.#queries.run(this.#pool, partsStatement, [table])) {
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
    const [row] = await this.#queries.run(this.#pool, statement, values);
    const deleted = Number(row?.['deleted']);
    return deleted < purgeBatch ? deleted : deleted + (await this.#purgeFrom(first, statement));
  }

  /** Whether the database may end a connection that is idle. */
  async #mayEnd(client: PostgresClient): Promise<boolean> {
    if (this.#isServer === undefined) {
      const [row] = await this.#queries.run(client, isServerStatement, []);
      this.#isServer = row?.['is_server'] === true;
    }
    return this.#isServer;
  }

  /** Runs a statement that changes one record, with its durability as the last value. Returns whether it did. */
  async #changes(
    client: PostgresClient = this.#pool,
    text: string,
    values: unknown[],
    data: string | undefined,
  ): Promise<boolean> {
    const all = [...values, durabilityOf(data, client, this.#pool)];
    return (await this.#queries.run(client, text, all)).length > 0;
  }

  /** Returns the claim, or the reason why the key is not free. The record may disappear or become free before it is read. */
  async #granted(
    key: string,
    client: PostgresClient,
    take: () => Promise<ClaimResult | undefined>,
  ): Promise<ClaimResult> {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const result = (await take()) ?? (await this.#heldBy(key, client));
      if (result !== undefined) return result;
    }
    return { status: 'in_progress', retryAfter: 1, data: undefined };
  }

  /** Claims the key if it is free. */
  async #take(
    client: PostgresClient,
    { key, token, lease, data, takeOver }: Taking,
  ): Promise<ClaimResult | undefined> {
    const values = [key, token, lease, data ?? null];
    const durability = durabilityOf(data, client, this.#pool);
    // If the server crashes before a claim without data is on its disk, the key can be claimed again: the lease ends early.
    const ofNew = data === undefined && client === this.#pool ? 'off' : durability;
    let [row] = await this.#queries.run(client, this.#claims.insert, [...values, ofNew]);
    if (row === undefined)
      [row] = await this.#queries.run(client, this.#claims.claim, [...values, takeOver, durability]);
    const server = row?.['server'];
    while (row?.['is_late'] === true) {
      [row] = await this.#queries.run(client, this.#claims.renew, [key, token, lease]);
    }
    return row && claimedOf(token, { ...row, server });
  }

  /**
   * Returns why the key is not free. A separate statement, since one statement does not see commits made while it
   * waited; at READ COMMITTED, a transaction sees them with its next statement.
   */
  async #heldBy(key: string, client: PostgresClient): Promise<ClaimResult | undefined> {
    const [row] = await this.#queries.run(client, this.#claims.held, [key]);
    if (row === undefined) return undefined;
    const [{ rest }, data] = [row, dataOf(row)];
    if (rest === null) return { status: 'completed', data };
    return { status: 'in_progress', retryAfter: Number(rest), data };
  }
}

/**
 * Creates a store in tables of PostgreSQL 14 or newer, for all processes that share it. It uses the database's clock, so the
 * clocks of your machines do not matter.
 *
 * Create the tables and functions with `migrate()`, or with the text `schema` in your own migration. Run `purge()` daily. A
 * function counts an attempt in one round trip. If the pool's default is REPEATABLE READ or SERIALIZABLE, the store tries a
 * statement up to 5 times, and then fails with the code `40001`: call again, `check` with the same `id`.
 *
 * **In your transaction.** Pass your own connection as `client` in the options. The call then becomes part of the
 * connection's open transaction: your effect and the record of it commit together, or neither does. So an event whose effect
 * has happened is never handled again.
 *
 * - While a transaction that claimed or completed a key is open, another claim of that key waits until it ends, even beyond
 *   its lease. If it committed, the other then returns `completed`, or `in_progress` if the key was only claimed. `record`
 *   waits at most 2 s, and then returns `in_progress`. The other calls reject after `timeout`, but their statement goes on
 *   until `lock_timeout`.
 * - A claim that is not granted locks the record until your transaction ends, so end it soon.
 * - If the effect is in the same database, `record` claims and completes the key in one statement.
 * - If `complete` returns false, another claim took over: roll back.
 * - If the transaction rolls back, so does a claim within it, and its attempt is not counted.
 * - READ COMMITTED, the default, is enough. At REPEATABLE READ and SERIALIZABLE PostgreSQL rejects a statement with the code
 *   `40001` if another transaction changed the record after yours began, and at SERIALIZABLE also a commit, for changes of other
 *   records: roll back and retry the whole transaction.
 *
 * @param pool A `Pool` of `pg`, or any object with its `query`. The store never closes it. No transaction may be open on it:
 *   pass a transaction to each call instead.
 * @throws ConfigurationError when the pool or an option is wrong; also from a call if `migrate` was never called. Other errors of
 * `query` pass through unchanged.
 */
export function postgresStore(pool: PostgresClient, options: PostgresStoreOptions = {}): PostgresStore {
  checkConnection('postgresStore.pool', pool);
  checkOptions('postgresStore', optionsSchema, options);
  const { table = defaultTable, timeout = defaultTimeout, transaction } = options;
  const backend = new PostgresBackend(pool, tablesOf(table));
  const transactions = new DocumentTransactions(
    transactionsOf(pool, transaction),
    backend.documents,
    timeout,
  );
  const checkClient = (method: string, client: unknown = pool) => checkConnection(`${method}.client`, client);
  return {
    ...checkedStore(backend, { timeout, checkClient }),
    client: pool,
    record: (...args) => inTime(backend.record(...args), timeout),
    transaction: (run) => transactions.run(run),
    schema: backend.schema,
    migrate: () => backend.migrate(),
    purge: () => backend.purge(),
  };
}
