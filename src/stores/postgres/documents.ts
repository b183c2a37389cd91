import { type DocumentSave, referenceTaken } from '../records/document.ts';
import type { DueDocument, DueQuery, KeptDocument } from '../store.ts';
import type { PostgresClient } from './client.ts';
import { durabilityOf, waitsAs } from './durability.ts';
import type { Queries } from './queries.ts';
import type { Tables } from './table.ts';

/** The statements of documents. */
function documentStatements({ documents, references, save, duePage }: Tables) {
  const load = `SELECT version, data FROM ${documents} WHERE key = $1`;
  return {
    /** $1 key. Returns the version and the data. */
    load,

    /** The same, and no other transaction can change the document until this one ends. */
    lock: `${load} FOR UPDATE`,

    /** $1 key, $2 version, $3 data, $4 time or null, $5 references as JSON, cast from text: some clients would encode it again. $6 token, $7 durability. */
    save: `
SELECT CASE WHEN ${waitsAs('$7')} THEN ${save}($1, $2::bigint, $3, $4::bigint, $5::text::jsonb, $6) END AS answer`,

    /** $1 reference. Returns the key of its document. */
    lookUp: `SELECT document FROM ${references} WHERE key = $1`,

    /** $1 space, $2 the last time, $3 `wake_at` and $4 key of the last document of the previous page, $5 page size. */
    due: `
SELECT key, wake_at FROM ${duePage}($1, $2::bigint, $3::bigint, $4, $5::integer) ORDER BY wake_at, key COLLATE "C"`,
  };
}

const first: DueDocument = { wakeAt: Number.MIN_SAFE_INTEGER, key: '' };

/** Documents in PostgreSQL tables. */
export class PostgresDocuments {
  readonly #queries: Queries;
  readonly #pool: PostgresClient;
  readonly #statements: ReturnType<typeof documentStatements>;

  constructor(queries: Queries, pool: PostgresClient, tables: Tables) {
    this.#queries = queries;
    this.#pool = pool;
    this.#statements = documentStatements(tables);
  }

  load(key: string): Promise<KeptDocument | undefined> {
    return this.#load(this.#pool, this.#statements.load, key);
  }

  /** Loads a document in a transaction, and locks it until that ends. */
  lock(key: string, client: PostgresClient): Promise<KeptDocument | undefined> {
    return this.#load(client, this.#statements.lock, key);
  }

  async save(document: DocumentSave, client = this.#pool): Promise<boolean> {
    const { key, version, data, references, wakeAt } = document;
    const durability = durabilityOf(data, client, this.#pool);
    const values = [key, version, data, wakeAt, JSON.stringify(references), crypto.randomUUID(), durability];
    const [row] = await this.#queries.run(client, this.#statements.save, values);
    if (row?.['answer'] === 'taken') throw referenceTaken();
    return row?.['answer'] === 'saved';
  }

  async lookUp(reference: string): Promise<string | undefined> {
    const [row] = await this.#queries.run(this.#pool, this.#statements.lookUp, [reference]);
    return row && String(row['document']);
  }

  async due({ space, until, after = first, limit }: DueQuery): Promise<readonly DueDocument[]> {
    const values = [space, until, after.wakeAt, after.key, limit];
    const rows = await this.#queries.run(this.#pool, this.#statements.due, values);
    return rows.map((row) => ({ key: String(row['key']), wakeAt: Number(row['wake_at']) }));
  }

  async #load(client: PostgresClient, text: string, key: string): Promise<KeptDocument | undefined> {
    const [row] = await this.#queries.run(client, text, [key]);
    return row && { version: Number(row['version']), data: String(row['data']) };
  }
}
