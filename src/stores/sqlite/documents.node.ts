import type { DocumentSave, DocumentTables } from '../records/document.ts';
import type { DueDocument, DueQuery, KeptDocument } from '../store.ts';
import { prepare, type SqliteDatabase } from './database.node.ts';

const first: DueDocument = { wakeAt: Number.MIN_SAFE_INTEGER, key: '' };

function statementsOf(database: SqliteDatabase) {
  return {
    load: prepare(database, 'SELECT version, data FROM payments_documents WHERE key = ?'),
    put: prepare(
      database,
      `INSERT INTO payments_documents (key, version, data, wake_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET version = excluded.version, data = excluded.data, wake_at = excluded.wake_at`,
    ),
    lookUp: prepare(database, 'SELECT key FROM payments_references WHERE reference = ?'),
    refer: prepare(database, 'INSERT OR IGNORE INTO payments_references (reference, key) VALUES (?, ?)'),
    due: prepare(
      database,
      `SELECT key, wake_at FROM payments_documents WHERE space = ? AND wake_at <= ? AND (wake_at, key) > (?, ?)
      ORDER BY wake_at, key LIMIT ?`,
    ),
  };
}

/** Documents in a SQLite database. Save them within a transaction. */
export class SqliteDocuments implements DocumentTables {
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: SqliteDatabase) {
    this.#statements = statementsOf(database);
  }

  load(key: string): KeptDocument | undefined {
    const row = this.#statements.load.get(key);
    return row && { version: Number(row['version']), data: String(row['data']) };
  }

  lookUp(reference: string): string | undefined {
    const row = this.#statements.lookUp.get(reference);
    return row && String(row['key']);
  }

  due({ space, until, after = first, limit }: DueQuery): readonly DueDocument[] {
    const rows = this.#statements.due.all(space, until, after.wakeAt, after.key, limit);
    return rows.map((row) => ({ key: String(row['key']), wakeAt: Number(row['wake_at']) }));
  }

  put({ key, version, data, references, wakeAt }: DocumentSave): void {
    this.#statements.put.run(key, version + 1, data, wakeAt);
    for (const reference of references) this.#statements.refer.run(reference, key);
  }
}
