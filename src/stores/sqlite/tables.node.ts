import type { ConfigurationError } from '../../base/errors.ts';
import { attemptsRetention } from '../records/claim.ts';
import { foreignAdvice, versionAdvice } from '../records/kept-tables.ts';
import { beginAlone, commit, prepare, rollBack, type SqliteDatabase } from './database.node.ts';

/** The version of the tables. Those of another version are refused. */
export const tablesVersion = 3;

/**
 * The statements of the tables and indexes, by name. SQLite keeps each text as it is, so a table with another text is not ours.
 *
 * `payments_store` has one row: the version, and the highest time of the store that was written.
 *
 * A `completed` claim expires at `until`. A completed one without a token was released with a retention, so it can be claimed
 * before. `forget` is when a claim may be deleted; null for an open one, which has the `space` of its key.
 *
 * The `items` of `payments_velocity` are a JSON list: the buckets of a key, or the parts of an attempt.
 *
 * A document that waits has the `space` of its key.
 */
const statements = /* @__PURE__ */ (() => {
  const space = "substr(key, 1, instr(key || '/', '/') - 1)";
  return {
    payments_claims: `CREATE TABLE payments_claims (
  key TEXT NOT NULL PRIMARY KEY,
  token TEXT,
  attempt INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  data TEXT,
  forget INTEGER AS (CASE WHEN completed THEN until WHEN data IS NULL THEN until + ${attemptsRetention} END),
  space TEXT AS (CASE WHEN forget IS NULL THEN ${space} END)
) STRICT`,
    payments_claims_forget: 'CREATE INDEX payments_claims_forget ON payments_claims (forget)',
    payments_claims_open:
      'CREATE INDEX payments_claims_open ON payments_claims (space, since, key) WHERE space IS NOT NULL',
    payments_velocity: `CREATE TABLE payments_velocity (
  key TEXT NOT NULL PRIMARY KEY,
  items TEXT NOT NULL,
  forget INTEGER NOT NULL
) STRICT`,
    payments_velocity_forget: 'CREATE INDEX payments_velocity_forget ON payments_velocity (forget)',
    payments_snapshots: `CREATE TABLE payments_snapshots (
  key TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT`,
    payments_documents: `CREATE TABLE payments_documents (
  key TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  data TEXT NOT NULL,
  wake_at INTEGER,
  space TEXT AS (CASE WHEN wake_at IS NOT NULL THEN ${space} END)
) STRICT`,
    payments_documents_due:
      'CREATE INDEX payments_documents_due ON payments_documents (space, wake_at, key) WHERE space IS NOT NULL',
    payments_references: `CREATE TABLE payments_references (
  reference TEXT NOT NULL PRIMARY KEY,
  key TEXT NOT NULL
) STRICT`,
    payments_store: 'CREATE TABLE payments_store (version INTEGER NOT NULL, highest INTEGER) STRICT',
  };
})();

const firstRow = `INSERT INTO payments_store (version) VALUES (${tablesVersion})`;

/** Why tables cannot be used. */
export interface TablesProblem {
  readonly received: string;
  readonly advice: string;
}

/** What a database has of the tables. */
interface FoundTables {
  /** Whether it has no table at all, ours or not. */
  readonly isEmpty: boolean;
  /** Whether it has the table with the version. */
  readonly hasStore: boolean;
  /** The statements that create what it lacks. */
  readonly missing: readonly string[];
  /** Why its tables cannot be used; `undefined` if they can. */
  readonly problem: TablesProblem | undefined;
}

/** Looks for the tables in a database. */
export function findTables(database: SqliteDatabase): FoundTables {
  // SQLite compares names without their case.
  const rows = prepare(database, 'SELECT lower(name) AS name, sql FROM sqlite_schema').all();
  const found = new Map(rows.map(({ name, sql }) => [name, sql]));
  const isMissing = ([name]: readonly [string, string]) => !found.has(name);
  const missing = Object.entries(statements).filter(isMissing);
  const texts = missing.flatMap(([name, text]) => (name === 'payments_store' ? [text, firstRow] : [text]));
  return {
    isEmpty: found.size === 0,
    hasStore: found.has('payments_store'),
    missing: texts,
    problem: problemOf(database, found),
  };
}

function problemOf(
  database: SqliteDatabase,
  found: ReadonlyMap<unknown, unknown>,
): TablesProblem | undefined {
  const isForeign = ([name, text]: readonly [string, string]) => found.has(name) && found.get(name) !== text;
  const isStore = found.get('payments_store') === statements.payments_store;
  const row = isStore ? prepare(database, 'SELECT version FROM payments_store').get() : undefined;
  const version = row?.['version'];
  if (isStore && version !== tablesVersion) {
    const received = `one whose tables have version ${version}`;
    return { received, advice: versionAdvice(Number(version), tablesVersion) };
  }
  const [foreign] = Object.entries(statements).find(isForeign) ?? [];
  return foreign === undefined
    ? undefined
    : { received: `one with another ${foreign}`, advice: foreignAdvice('a file of its own') };
}

/**
 * Creates what is missing of the tables, in one transaction.
 *
 * @param refused Returns the error for tables that cannot be used.
 * @param begun Runs first in the transaction.
 */
export function createTables(
  database: SqliteDatabase,
  refused: (problem: TablesProblem) => ConfigurationError,
  begun = () => {},
): void {
  const findMissing = () => {
    const { missing, problem } = findTables(database);
    if (problem !== undefined) throw refused(problem);
    return missing;
  };
  if (findMissing().length === 0) return;
  beginAlone(database);
  try {
    begun();
    for (const statement of findMissing()) database.exec(statement);
    commit(database);
  } catch (error) {
    rollBack(database);
    throw error;
  }
}
