import { ConfigurationError } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';

/** A table, in the words of SQL. */
export interface Table {
  /** Quoted, with its schema where one was given. */
  readonly name: string;
  /** The quoted name of the index by time. */
  readonly index: string;
}

/** The table where none is named. */
export const defaultTable = 'payments_webhook_events';

/** PostgreSQL cuts a name after 63 bytes, so that two long names would be one. */
const schemaPattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const indexSuffix = '_expires_at';
const tablePattern = /^[A-Za-z_][A-Za-z0-9_]{0,51}$/;

function isTable(parts: readonly string[]): boolean {
  const schemas = parts.slice(0, -1);
  if (schemas.length > 1 || !schemas.every((schema) => schemaPattern.test(schema))) return false;
  return tablePattern.test(parts.at(-1) ?? '');
}

const quoted = (name: string) => `"${name}"`;

/** The table of that name. A name cannot be a parameter of a statement, so none is accepted that needs escaping. */
export function tableOf(table: string): Table {
  const parts = typeof table === 'string' ? table.split('.') : [];
  if (!isTable(parts)) {
    throw new ConfigurationError(
      [issueAt('postgresStore.table', 'a name of letters, digits and _ (at most 52), or schema.name', table)],
      'Name the table as your migration does; names are quoted, so capital letters count.',
    );
  }
  return { name: parts.map(quoted).join('.'), index: quoted(`${parts.at(-1)}${indexSuffix}`) };
}

/**
 * The SQL that creates the table of `postgresStore` and its index, where they are not there yet; for your own
 * migration. Two statements, to be run without parameters.
 *
 * @param table The name, letters, digits and `_`, optionally after a schema and a dot. It is quoted, so capital letters
 *   count. Default: `payments_webhook_events`.
 * @throws ConfigurationError when the name is none.
 */
export function postgresStoreSchema(table: string = defaultTable): string {
  const { name, index } = tableOf(table);
  // Compared as bytes, so that no new version of a language's rules of order can damage the index.
  return `CREATE TABLE IF NOT EXISTS ${name} (
  key text COLLATE "C" PRIMARY KEY,
  token text,
  attempt integer NOT NULL,
  completed boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS ${index} ON ${name} (expires_at);
`;
}
