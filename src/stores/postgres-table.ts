import { ConfigurationError } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import { type VelocityNames, velocityFunctions } from './postgres-velocity.ts';

/** The tables of a store, in the words of SQL. */
export interface Tables extends VelocityNames {
  /** The claims; quoted, with its schema where one was given. */
  readonly claims: string;
  /** The snapshots, likewise. */
  readonly snapshots: string;
  /** The quoted name of the index of open claims. */
  readonly listed: string;
  /** The indexes of earlier versions, likewise with their schema. */
  readonly formerIndexes: readonly string[];
}

/** The table of claims where none is named. */
export const defaultTable = 'payments_claims';

/** PostgreSQL cuts a name after 63 bytes, so that two long names would be one. */
const schemaPattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const tablePattern = /^[A-Za-z_][A-Za-z0-9_]{0,51}$/;

function isTable(parts: readonly string[]): boolean {
  const schemas = parts.slice(0, -1);
  if (schemas.length > 1 || !schemas.every((schema) => schemaPattern.test(schema))) return false;
  return tablePattern.test(parts.at(-1) ?? '');
}

const quoted = (name: string) => `"${name}"`;

/** The tables of that name. A name cannot be a parameter of a statement, so none is accepted that needs escaping. */
export function tablesOf(table: string): Tables {
  const parts = typeof table === 'string' ? table.split('.') : [];
  if (!isTable(parts)) {
    throw new ConfigurationError(
      [issueAt('postgresStore.table', 'a name of letters, digits and _ (at most 52), or schema.name', table)],
      'Name the table as your migration does; names are quoted, so capital letters count.',
    );
  }
  const name = String(parts.at(-1));
  const named = (suffix: string) => [...parts.slice(0, -1), name + suffix].map(quoted).join('.');
  return {
    claims: named(''),
    velocity: named('_velocity'),
    snapshots: named('_snapshots'),
    listed: quoted(`${name}_listed`),
    formerIndexes: [named('_expires_at'), named('_open'), named('_counted_to')],
    countAttempt: named('_count'),
    takeBackAttempt: named('_take_back'),
  };
}

/** The form of the tables, which the comment on the table of claims says. */
const version = 4;
const comment = `payments-client store, version ${version}`;

/**
 * Brings any earlier form of the tables to this one. Each statement does nothing where it was run before.
 *
 * Most updates are HOT: they write to no index, and their dead rows are pruned without a vacuum. So no index has a column that they change, not
 * even in its condition, and pages have room for second versions of their rows. A table that was there keeps its fill factor, since a partitioned
 * one has none. The factors are measured: with 90 nearly all completions are HOT, also with 1000 claims in flight, and less only adds blocks. The
 * rows of velocity are larger.
 */
function statements(tables: Tables): string {
  const { claims, velocity, snapshots, listed, formerIndexes } = tables;
  // Compared as bytes, so that no new version of a language's rules of order can damage an index.
  return `CREATE TABLE IF NOT EXISTS ${claims} (
  key text COLLATE "C" PRIMARY KEY,
  token text,
  attempt integer NOT NULL,
  completed boolean NOT NULL,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 90);
DROP INDEX IF EXISTS ${formerIndexes.join(', ')};
ALTER TABLE ${claims} ADD COLUMN IF NOT EXISTS claimed_at timestamptz;
ALTER TABLE ${claims} ADD COLUMN IF NOT EXISTS data text;
ALTER TABLE ${claims} ADD COLUMN IF NOT EXISTS listed boolean
  GENERATED ALWAYS AS (data IS NOT NULL AND NOT completed) STORED;
CREATE INDEX IF NOT EXISTS ${listed} ON ${claims} (key) WHERE listed;
CREATE TABLE IF NOT EXISTS ${velocity} (
  key text COLLATE "C" PRIMARY KEY,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 70);
ALTER TABLE ${velocity} DROP COLUMN IF EXISTS attempts, DROP COLUMN IF EXISTS since;
ALTER TABLE ${velocity} ADD COLUMN IF NOT EXISTS counted jsonb NOT NULL DEFAULT '{}';
CREATE TABLE IF NOT EXISTS ${snapshots} (
  key text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  data text NOT NULL
);
${velocityFunctions(tables)}
COMMENT ON TABLE ${claims} IS '${comment}';
`;
}

/**
 * The SQL that creates the tables of `postgresStore`, their indexes and functions, or brings those of an earlier version up to date; for your own
 * migration. It can be run again. Several statements, to be run without parameters. A table of claims from before version 4 of the schema is
 * rewritten once, which locks it; make that migration while little happens, if it has millions of rows.
 *
 * @param table The name of the table of claims, letters, digits and `_`, optionally after a schema and a dot. It is quoted, so capital
 *   letters count. The other tables are named after it, with `_velocity` and `_snapshots`, and the functions with `_count` and `_take_back`.
 *   Default: `payments_claims`.
 * @throws ConfigurationError when the name cannot be used.
 */
export function postgresStoreSchema(table: string = defaultTable): string {
  return statements(tablesOf(table));
}

/**
 * One statement that runs the schema, unless the tables are of this version or a later one: a process that starts takes no lock on tables
 * in use. Processes that start together run it one after the other.
 */
export function migration(tables: Tables): string {
  return `DO $migration$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('payments-client store'), hashtext('${tables.claims}'));
  IF coalesce(substring(obj_description(to_regclass('${tables.claims}'), 'pg_class')
    FROM '^payments-client store, version (\\d+)')::integer, 0) < ${version} THEN
    ${statements(tables)}
  END IF;
END
$migration$`;
}
