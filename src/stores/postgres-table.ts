import { ConfigurationError } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import { type VelocityNames, velocityFunctions } from './postgres-velocity.ts';

/** The tables of a store, in the words of SQL. */
export interface Tables extends VelocityNames {
  /** The claims; quoted, with its schema where one was given. */
  readonly claims: string;
  /** The snapshots, likewise. */
  readonly snapshots: string;
  /** The quoted names of the indexes. */
  readonly expiry: string;
  readonly open: string;
  readonly velocityExpiry: string;
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
    expiry: quoted(`${name}_expires_at`),
    open: quoted(`${name}_open`),
    velocityExpiry: quoted(`${name}_counted_to`),
    countAttempt: named('_count'),
    takeBackAttempt: named('_take_back'),
  };
}

/** The form of the tables, which the comment on the table of claims says. */
const version = 4;
const comment = `payments-client store, version ${version}`;

/** Brings any earlier form of the tables to this one. Each statement does nothing where it was run before. */
function statements(tables: Tables): string {
  const { claims, velocity, snapshots, expiry, open, velocityExpiry } = tables;
  // Compared as bytes, so that no new version of a language's rules of order can damage an index.
  return `CREATE TABLE IF NOT EXISTS ${claims} (
  key text COLLATE "C" PRIMARY KEY,
  token text,
  attempt integer NOT NULL,
  completed boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS ${expiry} ON ${claims} (expires_at);
ALTER TABLE ${claims} ADD COLUMN IF NOT EXISTS claimed_at timestamptz;
ALTER TABLE ${claims} ADD COLUMN IF NOT EXISTS data text;
CREATE INDEX IF NOT EXISTS ${open} ON ${claims} (key) WHERE data IS NOT NULL AND NOT completed;
CREATE TABLE IF NOT EXISTS ${velocity} (
  key text COLLATE "C" PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
ALTER TABLE ${velocity} DROP COLUMN IF EXISTS attempts, DROP COLUMN IF EXISTS since;
ALTER TABLE ${velocity} ADD COLUMN IF NOT EXISTS counted jsonb NOT NULL DEFAULT '{}';
CREATE INDEX IF NOT EXISTS ${velocityExpiry} ON ${velocity} (expires_at);
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
 * migration. It can be run again. Several statements, to be run without parameters.
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
