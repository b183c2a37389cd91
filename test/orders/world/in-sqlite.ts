import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createOrders, type Orders } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';
import type { Database } from './database.ts';
import { gated } from './gated.ts';
import { copyPrefix, readRow } from './rows.ts';
import { type CommonOptions, type Edit, orderRow, type Seat, type ShopRow } from './seat.ts';

const creation = `CREATE TABLE IF NOT EXISTS shop (account TEXT, id TEXT, created INTEGER, currency TEXT, price INTEGER, quantity INTEGER,
  shipped INTEGER, total INTEGER, total_currency TEXT, PRIMARY KEY (account, id)) STRICT`;

/** A store in the merchant's own database: in memory, or in a file to which each process has a connection of its own. */
export class InSqlite implements Database {
  readonly isTransactional = true;
  readonly patience = 60_000;
  readonly #folder: string | undefined;
  readonly #main: DatabaseSync;

  constructor(isFile: boolean) {
    this.#folder = isFile ? mkdtempSync(join(tmpdir(), 'orders-')) : undefined;
    this.#main = this.#connect();
    this.#main.exec(creation);
    sqliteStore(this.#main);
  }

  async open(seat: Seat, options: CommonOptions): Promise<Orders> {
    const database = this.#folder === undefined ? this.#main : this.#connect();
    seat.process.onKill(() => {
      if (database !== this.#main) database.close();
    });
    const store = sqliteStore(database);
    return createOrders({
      ...options,
      store: {
        ...gated(store, seat),
        client: store.client,
        transaction: (run) => seat.ask('transaction', () => store.transaction(run)),
      },
      order: (id, client) => {
        seat.step();
        const row = client.prepare('SELECT * FROM shop WHERE account = ? AND id = ?').get(seat.account, id);
        return row && orderRow(readRow(row));
      },
      onPaid: ({ id, total: { amount, currency } }, client) => {
        seat.step();
        seat.failShipping();
        const changes =
          'UPDATE shop SET shipped = shipped + 1, total = ?, total_currency = ? WHERE account = ? AND id = ?';
        client.prepare(changes).run(amount, currency, seat.account, id);
        seat.step();
      },
    });
  }

  async insert({ account, id, createdAt, currency, price, quantity }: ShopRow): Promise<void> {
    const insertion = 'INSERT OR REPLACE INTO shop VALUES (?, ?, ?, ?, ?, ?, 0, NULL, NULL)';
    this.#main.prepare(insertion).run(account, id, createdAt, currency, price, quantity);
  }

  async edit(account: string, id: string, { currency, price, quantity }: Edit): Promise<void> {
    const changes =
      'UPDATE shop SET currency = ?, price = ?, quantity = ? WHERE account = ? AND id = ? AND shipped = 0';
    this.#main.prepare(changes).run(currency, price, quantity, account, id);
  }

  async remove(account: string, id: string): Promise<ShopRow | undefined> {
    const removal = 'DELETE FROM shop WHERE account = ? AND id = ? AND shipped = 0 RETURNING *';
    const row = this.#main.prepare(removal).get(account, id);
    return row && readRow(row);
  }

  async rows(): Promise<readonly ShopRow[]> {
    return this.#main.prepare('SELECT * FROM shop').all().map(readRow);
  }

  async backUp(): Promise<void> {
    for (const name of this.#tables()) {
      this.#main.exec(`DROP TABLE IF EXISTS ${copyPrefix}${name}`);
      this.#main.exec(`CREATE TABLE ${copyPrefix}${name} AS SELECT ${this.#columns(name)} FROM ${name}`);
    }
  }

  async restore(): Promise<void> {
    for (const name of this.#tables()) {
      const columns = this.#columns(name);
      this.#main.exec(`DELETE FROM ${name}`);
      this.#main.exec(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${copyPrefix}${name}`);
    }
  }

  async close(): Promise<void> {
    this.#main.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true });
  }

  #connect(): DatabaseSync {
    if (this.#folder === undefined) return new DatabaseSync(':memory:');
    const database = new DatabaseSync(join(this.#folder, 'shop.sqlite'));
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
    return database;
  }

  /** Returns the columns of a table that are not computed from others. */
  #columns(table: string): string {
    const columns = this.#main.prepare('SELECT name FROM pragma_table_info(?)').all(table);
    return columns.map(({ name }) => String(name)).join();
  }

  #tables(): readonly string[] {
    const names = this.#main
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name }) => String(name));
    return names.filter((name) => !name.startsWith(copyPrefix));
  }
}
