import type { Lists } from '../records/velocity-count.ts';
import { prepare, type SqliteDatabase, type SqliteStatement } from './database.node.ts';

/** Lists as JSON, in rows with a key prefix. Read and write them within a transaction. */
export class SqliteLists<Item> implements Lists<Item> {
  readonly #prefix: string;
  readonly #get: SqliteStatement;
  readonly #put: SqliteStatement;
  readonly #update: SqliteStatement;
  readonly #delete: SqliteStatement;

  constructor(database: SqliteDatabase, prefix: string) {
    this.#prefix = prefix;
    this.#get = prepare(database, 'SELECT items FROM payments_velocity WHERE key = ?');
    this.#put = prepare(
      database,
      'INSERT OR REPLACE INTO payments_velocity (key, items, forget) VALUES (?, ?, ?)',
    );
    this.#update = prepare(database, 'UPDATE payments_velocity SET items = ?2 WHERE key = ?1');
    this.#delete = prepare(database, 'DELETE FROM payments_velocity WHERE key = ?');
  }

  get(key: string): readonly Item[] {
    const row = this.#get.get(this.#prefix + key);
    return row === undefined ? [] : JSON.parse(String(row['items']));
  }

  put(key: string, items: readonly Item[], until: number): void {
    this.#put.run(this.#prefix + key, JSON.stringify(items), until);
  }

  update(key: string, items: readonly Item[]): void {
    if (items.length === 0) this.#delete.run(this.#prefix + key);
    else this.#update.run(this.#prefix + key, JSON.stringify(items));
  }
}
