import { checkOptions } from '../base/check-options.ts';
import { optionsOf, unchecked } from '../base/options.ts';
import { attemptsRetention } from './attempts.ts';
import { checkClaim, checkComplete, checkNoData, checkRelease } from './checks.ts';
import { checkConnection, type PostgresClient } from './postgres-client.ts';
import { purgeBatch, statementsFor } from './postgres-statements.ts';
import { defaultTable, type Table, tableOf } from './postgres-table.ts';
import type { ClaimOptions, ClaimResult, ClaimStore } from './store.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /**
   * The table that `postgresStoreSchema` made, optionally after its schema and a dot. It is quoted, so capital
   * letters count. Default: `payments_webhook_events`.
   */
  readonly table?: string | undefined;
}

const optionsSchema = optionsOf<PostgresStoreOptions>({ table: unchecked() });

/** What {@link postgresStore} gives. */
export interface PostgresStore extends Pick<ClaimStore<PostgresClient>, 'claim' | 'complete' | 'release'> {
  /**
   * Deletes what has expired: events after their retention, and claims a week after their lease ran out. Run it daily,
   * since nothing else deletes a record. It deletes 1000 at a time, each time in a transaction of its own, and may run
   * beside everything else and more than once at the same time.
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
  readonly #statements: ReturnType<typeof statementsFor>;

  constructor(pool: PostgresClient, table: Table) {
    this.#pool = pool;
    this.#statements = statementsFor(table);
  }

  async claim(key: string, lease: number, options?: Options): Promise<ClaimResult> {
    checkClaim({ key, lease }, options);
    checkNoData(options);
    const client = this.#connection('claim', options);
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const result = (await this.#take(key, lease, client)) ?? (await this.#find(key, client));
      if (result !== undefined) return result;
    }
    return { status: 'in_progress', retryAfter: 1, data: undefined };
  }

  async complete(key: string, token: string, retention: number, options?: Options): Promise<boolean> {
    checkComplete({ key, token, retention }, options);
    checkNoData(options);
    const client = this.#connection('complete', options);
    const rows = await this.#query(client, this.#statements.complete, [key, token, retention]);
    return rows.length > 0;
  }

  async release(key: string, token: string, options?: Options): Promise<boolean> {
    checkRelease({ key, token }, options);
    checkNoData(options);
    const client = this.#connection('release', options);
    const rows = await this.#query(client, this.#statements.release, [key, token]);
    return rows.length > 0;
  }

  async purge(): Promise<number> {
    let total = 0;
    for (;;) {
      const [row] = await this.#query(this.#pool, this.#statements.purge, [attemptsRetention]);
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
  async #take(key: string, lease: number, client: PostgresClient): Promise<ClaimResult | undefined> {
    const token = crypto.randomUUID();
    const values = [key, token, lease];
    let [row] = await this.#query(client, this.#statements.claim, values);
    while (row?.['is_late'] === true) [row] = await this.#query(client, this.#statements.renew, values);
    return row && { status: 'claimed', token, attempt: Number(row['attempt']), data: undefined };
  }

  /**
   * Why the key is not free. It is a statement of its own, since one statement does not see what was committed while it
   * waited; a transaction of the level READ COMMITTED sees it with the next.
   */
  async #find(key: string, client: PostgresClient): Promise<ClaimResult | undefined> {
    const [row] = await this.#query(client, this.#statements.find, [key]);
    if (row === undefined) return undefined;
    const { rest } = row;
    if (rest === null) return { status: 'completed', data: undefined };
    return { status: 'in_progress', retryAfter: Number(rest), data: undefined };
  }

  async #query(client: PostgresClient, text: string, values: unknown[]): Promise<Rows> {
    return (await client.query(text, values)).rows;
  }
}

/**
 * Remembers events in a table of PostgreSQL, for all processes that share it. The times are those of the database, so the
 * clocks of your machines do not matter.
 *
 * Create the table with `postgresStoreSchema`, and run `purge()` daily.
 *
 * **In your transaction.** With your own connection as `client` in the options, an operation is part of the transaction that is
 * open on it: your effect and the record of it are committed together, or neither is. There is then no moment in which
 * the effect has happened and the event may come again.
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
  return new PostgresTableStore(pool, tableOf(options.table ?? defaultTable));
}
