/** What a shop wrote into its database, as its test sees it. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';

/** The database of a shop that runs. */
export interface ShopDatabase {
  /** Changes rows, as another program of the merchant does. */
  change(sql: string): void;
  /** Returns the id of each order as often as it was shipped. */
  shipments(): readonly string[];
}

/** Opens the database of a shop with a table `orders`. */
export function openDatabase(folder: string, file: string): ShopDatabase {
  const database = new DatabaseSync(join(folder, file), { timeout: 5000 });
  onTestFinished(() => database.close());
  database.exec(`CREATE TABLE IF NOT EXISTS shipments (id TEXT);
    CREATE TRIGGER IF NOT EXISTS shipping AFTER UPDATE OF shipped ON orders
    BEGIN INSERT INTO shipments VALUES (new.id); END`);
  return {
    change: (sql) => database.exec(sql),
    shipments: () =>
      database
        .prepare('SELECT id FROM shipments')
        .all()
        .map(({ id }) => String(id)),
  };
}
