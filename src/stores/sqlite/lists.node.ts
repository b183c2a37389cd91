import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Lists } from '../records/velocity-count.ts';

/** Lists as JSON, in rows with a key prefix. Read and write them within a transaction. */
export class SqliteLists<Item> implements Lists<Item> {
  readonly #prefix: string;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #update: StatementSync;
  readonly #delete: StatementSync;

  constructor(database: DatabaseSync, prefix: string) {
    this.#prefix = prefix;
    this.#get = database.prepare('SELECT items FROM velocity WHERE key = ?');
    this.#put = database.prepare('INSERT OR REPLACE INTO velocity (key, items, forget) VALUES (?, ?, ?)');
    this.#update = database.prepare('UPDATE velocity SET items = ?2 WHERE key = ?1');
    this.#delete = database.prepare('DELETE FROM velocity WHERE key = ?');
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
