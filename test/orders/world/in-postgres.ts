import { createOrders, type Orders } from 'payments-client/orders';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import pg from 'pg';
import type { PostgresServer } from '../../support/postgres-server.ts';
import type { Database } from './database.ts';
import { gated } from './gated.ts';
import { copyPrefix, readRow } from './rows.ts';
import { type CommonOptions, type Edit, orderRow, type Seat, type ShopRow } from './seat.ts';

const creation = `CREATE TABLE IF NOT EXISTS shop (account text, id text, created bigint, currency text, price int, quantity int,
  shipped int DEFAULT 0, total int, total_currency text, PRIMARY KEY (account, id))`;

/** Returns a function that breaks all connections of a pool, as the death of its process does. */
function cutterOf(pool: pg.Pool): () => void {
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    open.add(client);
    client.on('error', () => open.delete(client));
  });
  return () => {
    for (const client of open) Reflect.get(client, 'connection').stream.destroy();
  };
}

/** A store in the merchant's own PostgreSQL, to which each process has connections of its own. */
export class InPostgres implements Database {
  readonly isTransactional = true;
  readonly patience = 20;
  readonly #server: PostgresServer['connection'];
  readonly #main: pg.Pool;
  readonly #cuts: (() => void)[] = [];

  private constructor(server: PostgresServer['connection']) {
    this.#server = server;
    this.#main = this.#pool();
  }

  /** Connects to a server, whose database of an earlier history it empties. */
  static async on(server: PostgresServer['connection']): Promise<InPostgres> {
    const database = new InPostgres(server);
    await database.#main.query(creation);
    await postgresStore(database.#main).migrate();
    const tables = await database.#tables();
    await database.#main.query(`TRUNCATE ${tables.join()}`);
    return database;
  }

  async open(seat: Seat, options: CommonOptions): Promise<Orders> {
    const pool = this.#pool();
    const cut = cutterOf(pool);
    this.#cuts.push(cut);
    // The server rolls back what a dead process leaves.
    seat.process.onKill(cut);
    const store = postgresStore(pool);
    return createOrders({
      ...options,
      store: {
        ...gated(store, seat),
        client: store.client,
        transaction: (run) => seat.ask('transaction', () => store.transaction(run)),
      },
      order: (id, client) =>
        seat.act('reads the row', async () => {
          const query = 'SELECT * FROM shop WHERE account = $1 AND id = $2 FOR UPDATE';
          const [row] = (await client.query(query, [seat.account, id])).rows;
          return row && orderRow(readRow(row));
        }),
      onPaid: ({ id, total: { amount, currency } }, client) =>
        seat.act(`ships ${id}`, () => {
          seat.failShipping();
          const changes =
            'UPDATE shop SET shipped = shipped + 1, total = $1, total_currency = $2 WHERE account = $3 AND id = $4';
          return client.query(changes, [amount, currency, seat.account, id]);
        }),
    });
  }

  async insert({ account, id, createdAt, currency, price, quantity }: ShopRow): Promise<void> {
    const insertion =
      'INSERT INTO shop (account, id, created, currency, price, quantity) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING';
    await this.#ask(insertion, [account, id, createdAt, currency, price, quantity]);
  }

  async edit(account: string, id: string, { currency, price, quantity }: Edit): Promise<void> {
    const changes =
      'UPDATE shop SET currency = $1, price = $2, quantity = $3 WHERE account = $4 AND id = $5 AND shipped = 0';
    await this.#ask(changes, [currency, price, quantity, account, id]);
  }

  async remove(account: string, id: string): Promise<ShopRow | undefined> {
    const removal = 'DELETE FROM shop WHERE account = $1 AND id = $2 AND shipped = 0 RETURNING *';
    const [row] = await this.#ask(removal, [account, id]);
    return row && readRow(row);
  }

  async rows(): Promise<readonly ShopRow[]> {
    return (await this.#ask('SELECT * FROM shop ORDER BY account, id', [])).map(readRow);
  }

  async backUp(): Promise<void> {
    for (const name of await this.#tables()) {
      const columns = await this.#columns(name);
      await this.#ask(`DROP TABLE IF EXISTS ${copyPrefix}${name}`, []);
      await this.#ask(`CREATE TABLE ${copyPrefix}${name} AS SELECT ${columns} FROM ${name}`, []);
    }
  }

  async restore(): Promise<void> {
    for (const name of await this.#tables()) {
      const columns = await this.#columns(name);
      await this.#ask(`DELETE FROM ${name}`, []);
      await this.#ask(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${copyPrefix}${name}`, []);
    }
  }

  async close(): Promise<void> {
    for (const cut of this.#cuts) cut();
    await this.#main.end();
  }

  #pool(): pg.Pool {
    const pool = new pg.Pool({ ...this.#server, max: 10 });
    pool.on('error', () => undefined);
    return pool;
  }

  async #tables(): Promise<readonly string[]> {
    const query = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";
    const names = (await this.#ask(query, [])).map(({ name }) => String(name));
    return names.filter((name) => !name.startsWith(copyPrefix));
  }

  /** Returns the columns of a table that are not computed from others. */
  async #columns(table: string): Promise<string> {
    const query =
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'";
    return (await this.#ask(query, [table])).map(({ name }) => String(name)).join();
  }

  async #ask(text: string, values: unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const main: PostgresClient = this.#main;
    return (await main.query(text, values)).rows;
  }
}
