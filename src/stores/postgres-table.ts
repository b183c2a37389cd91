import { configurationError } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import { type VelocityNames, velocityFunctions } from './postgres-velocity.ts';

/** The tables of a store as quoted SQL names. */
export interface Tables extends VelocityNames {
  /** The table of claims, with its schema if one was given. */
  readonly claims: string;
  /** The table of snapshots, likewise. */
  readonly snapshots: string;
  /** The quoted name of the index of open claims. */
  readonly listed: string;
}

/** The default table of claims. */
export const defaultTable = 'payments_claims';

/** PostgreSQL truncates a name after 63 bytes, so two long names could collide. */
const schemaPattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const tablePattern = /^[A-Za-z_][A-Za-z0-9_]{0,51}$/;

function isTable(parts: readonly string[]): boolean {
  const schemas = parts.slice(0, -1);
  if (schemas.length > 1 || !schemas.every((schema) => schemaPattern.test(schema))) return false;
  return tablePattern.test(parts.at(-1) ?? '');
}

const quoted = (name: string) => `"${name}"`;

/** Returns the tables of that name. A name cannot be a statement parameter, so names that need escaping are refused. */
export function tablesOf(table: string): Tables {
  const parts = typeof table === 'string' ? table.split('.') : [];
  if (!isTable(parts)) {
    throw configurationError(
      [issueAt('postgresStore.table', 'a name of letters, digits and _ (at most 52), or schema.name', table)],
      'Use the same name as your migration; names are quoted, so they are case-sensitive.',
    );
  }
  const name = String(parts.at(-1));
  const named = (suffix: string) => [...parts.slice(0, -1), name + suffix].map(quoted).join('.');
  return {
    claims: named(''),
    velocity: named('_velocity'),
    snapshots: named('_snapshots'),
    listed: quoted(`${name}_listed`),
    countAttempt: named('_count'),
    takeBackAttempt: named('_take_back'),
  };
}

/** The version of the tables, recorded in the comment on the table of claims. */
const version = 1;

/**
 * Returns the statements that create the tables. Each is idempotent.
 *
 * Most updates are HOT: they write to no index, and PostgreSQL prunes their dead rows without a vacuum. So no index has
 * a column that they change, not even in its condition, and pages have room for a second version of their rows. An
 * existing table keeps its fill factor, since a partitioned table has none. The factors are measured: with 90 nearly
 * all completions are HOT, even with 1000 claims in flight, and a lower factor only adds blocks. Velocity rows are
 * larger.
 */
export function schemaOf(tables: Tables): string {
  const { claims, velocity, snapshots, listed } = tables;
  // Compared as bytes, so that a new version of a language's collation cannot corrupt an index.
  return `CREATE TABLE IF NOT EXISTS ${claims} (
  key text COLLATE "C" PRIMARY KEY,
  token text,
  attempt integer NOT NULL,
  completed boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  claimed_at timestamptz NOT NULL,
  data text,
  listed boolean GENERATED ALWAYS AS (data IS NOT NULL AND NOT completed) STORED
) WITH (fillfactor = 90);
CREATE INDEX IF NOT EXISTS ${listed} ON ${claims} (key) WHERE listed;
CREATE TABLE IF NOT EXISTS ${velocity} (
  key text COLLATE "C" PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  counted jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 70);
CREATE TABLE IF NOT EXISTS ${snapshots} (
  key text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  data text NOT NULL
);
${velocityFunctions(tables)}
COMMENT ON TABLE ${claims} IS 'payments-client store, version ${version}';
`;
}

/** $1 quoted name of the table of claims. Returns the version in its comment; null without a table or a comment of ours. */
export const versionStatement = `SELECT substring(obj_description(to_regclass($1), 'pg_class')
  FROM '^payments-client store, version (\\d+)') AS version`;

/**
 * Returns whether the tables exist.
 *
 * @param found The result of `versionStatement`.
 * @throws ConfigurationError for tables of another version.
 */
export function isCurrent({ claims }: Tables, found: unknown): boolean {
  if (typeof found !== 'string') return false;
  if (Number(found) === version) return true;
  const issue = {
    path: 'postgresStore.table',
    expected: `no table ${claims}, or one of version ${version}`,
    received: `one of version ${found}`,
  };
  throw configurationError([issue], "Give the store tables of its own, with the option 'table'.");
}

/** Returns one statement that runs the schema. Processes that start together run it one after the other. */
export function creation(tables: Tables): string {
  return `DO $creation$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('payments-client store'), hashtext('${tables.claims}'));
  ${schemaOf(tables)}
END
$creation$`;
}
