import { checkOptions } from '../base/check-options.ts';
import { optionsOf, unchecked } from '../base/options.ts';
import { attemptsRetention } from './attempts.ts';
import { checkClaim, checkComplete, checkOpen, checkRelease, checkRenew } from './checks.ts';
import { checkConnection, type PostgresClient } from './postgres-client.ts';
import { claimStatements, purgeBatch, velocityStatements } from './postgres-statements.ts';
import { defaultTable, migration, type Tables, tablesOf } from './postgres-table.ts';
import type { ClaimOptions, ClaimResult, OpenClaim, OpenQuery, ReleaseOptions, Store } from './store.ts';
import type { VelocityEntry, VelocityTotal } from './velocity-store.ts';
import { bucketEnd, bucketWidth } from './velocity-window.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /**
   * The table of claims, optionally after its schema and a dot. It is quoted, so capital letters count. The table of counted attempts is
   * named after it, with `_velocity`, and its functions with `_count` and `_take_back`. Default: `payments_claims`.
   */
  readonly table?: string | undefined;
}

const optionsSchema = optionsOf<PostgresStoreOptions>({ table: unchecked() });

/** A store in tables of PostgreSQL. */
export interface PostgresStore extends Store<PostgresClient> {
  /**
   * Creates the tables, or brings those of an earlier version of this package up to date. Call it when your program starts: where there is
   * nothing to do, it takes no lock on the tables, and several processes may call it at the same time. `postgresStoreSchema` has the same
   * as SQL, for a migration of your own.
   */
  migrate(): Promise<void>;
  /**
   * Deletes what has expired: keys after their retention, claims without data a week after their lease ran out, and counted attempts after
   * their window. Run it daily, since nothing else deletes a record; a key released with a `retention` is known till then. It deletes 1000 at
   * a time, each time in a transaction of its own, and may run beside everything else and more than once at the same time.
   *
   * @returns How many records it deleted.
   */
  purge(): Promise<number>;
}

type Options = ClaimOptions<PostgresClient>;
type Rows = Awaited<ReturnType<PostgresClient['query']>>['rows'];

/** How often a claim is tried where the record is gone each time it is looked at: more is no accident. */
const maxTries = 3;

class PostgresTableStore implements PostgresStore {
  readonly #pool: PostgresClient;
  readonly #claims: ReturnType<typeof claimStatements>;
  readonly #velocity: ReturnType<typeof velocityStatements>;
  readonly #migration: string;

  constructor(pool: PostgresClient, tables: Tables) {
    this.#pool = pool;
    this.#claims = claimStatements(tables);
    this.#velocity = velocityStatements(tables);
    this.#migration = migration(tables);
  }

  async migrate(): Promise<void> {
    await this.#query(this.#pool, this.#migration, []);
  }

  async claim(key: string, lease: number, options?: Options): Promise<ClaimResult> {
    checkClaim({ key, lease }, options);
    const client = this.#connection('claim', options);
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const result = (await this.#take(key, lease, client, options?.data)) ?? (await this.#find(key, client));
      if (result !== undefined) return result;
    }
    return { status: 'in_progress', retryAfter: 1, data: undefined };
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

  async purge(): Promise<number> {
    return (
      (await this.#purge(this.#claims.purge, [attemptsRetention])) +
      (await this.#purge(this.#velocity.purge, []))
    );
  }

  async #purge(statement: string, values: unknown[]): Promise<number> {
    let total = 0;
    for (;;) {
      const [row] = await this.#query(this.#pool, statement, values);
      const deleted = Number(row?.['deleted']);
      total += deleted;
      if (!(deleted >= purgeBatch)) return total;
    }
  }

  /** The connection of the caller's transaction, or the pool. */
  #connection(operation: string, { client = this.#pool }: Options = {}): PostgresClient {
    checkConnection(`${operation}.client`, client);
    return client;
  }

  /** Takes the key, where it is free. */
  async #take(
    key: string,
    lease: number,
    client: PostgresClient,
    data: string | undefined,
  ): Promise<ClaimResult | undefined> {
    const token = crypto.randomUUID();
    const values = [key, token, lease];
    let [row] = await this.#query(client, this.#claims.claim, [...values, data ?? null]);
    while (row?.['is_late'] === true) [row] = await this.#query(client, this.#claims.renew, values);
    return row && { status: 'claimed', token, attempt: Number(row['attempt']), data: dataOf(row) };
  }

  /**
   * Why the key is not free. It is a statement of its own, since one statement does not see what was committed while it
   * waited; a transaction of the level READ COMMITTED sees it with the next.
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
 * Keeps everything in tables of PostgreSQL 11 or newer, for all processes that share it. Times are those of the database, so
 * the clocks of your machines do not matter.
 *
 * Create the tables and functions with `migrate()` or `postgresStoreSchema`, and run `purge()` daily. An attempt is counted in one round trip,
 * by a function; where the pool's default is REPEATABLE READ or SERIALIZABLE, that may fail with the code `40001`: check again with the same `id`.
 *
 * **In your transaction.** With your own connection as `client` in the options, an operation on a claim is part of the transaction that is
 * open on it: your effect and the record of it are committed together, or neither is. There is then no moment in which the effect has
 * happened and the event may come again.
 *
 * - While a transaction that claimed or completed a key is open, another claim of that key waits until it ends, longer
 *   than its lease if need be, and then says `completed` where it was committed. Set `lock_timeout` to bound the wait.
 * - A claim that is not given to you keeps the record locked until your transaction ends, so end it then.
 * - Where `complete` gives false, another claim took the key over: roll back.
 * - Where the transaction rolls back, so does a claim within it, and its attempt is not counted.
 * - READ COMMITTED, the default, is enough. At REPEATABLE READ and SERIALIZABLE PostgreSQL refuses an operation, with the
 *   code `40001`, where another transaction changed the record since yours began: roll back, and do all of it again.
 *
 * @param pool A `Pool` of `pg`, or anything with its `query`. It stays yours: close it yourself. No transaction may be open
 *   on it: a transaction is passed to each operation.
 * @throws ConfigurationError when the pool or an option is wrong. What `query` throws comes through as it is.
 */
export function postgresStore(pool: PostgresClient, options: PostgresStoreOptions = {}): PostgresStore {
  checkConnection('postgresStore.pool', pool);
  checkOptions('postgresStore', optionsSchema, options);
  return new PostgresTableStore(pool, tablesOf(options.table ?? defaultTable));
}
