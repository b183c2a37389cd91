import { configurationError } from '../../base/errors.ts';
import { issueAt } from '../../base/issue.ts';
import { foreignAdvice, versionAdvice } from '../records/kept-tables.ts';
import { type RecordNames, recordFunction } from './record.ts';
import { type SaveNames, saveFunction } from './save.ts';
import { type VelocityNames, velocityFunction } from './velocity.ts';

/** The tables and functions of a store as quoted SQL names. */
export interface Tables extends VelocityNames, RecordNames, SaveNames {
  /** The table of snapshots, with its schema if one was given. */
  readonly snapshots: string;
  /** The function that names the server. */
  readonly server: string;
  /** The quoted name of the index of open claims. */
  readonly listed: string;
  /** The quoted name of the index of documents that wait. */
  readonly due: string;
  /** The function that returns a page of open claims. */
  readonly openPage: string;
  /** The function that returns a page of documents that wait. */
  readonly duePage: string;
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
    documents: named('_documents'),
    references: named('_references'),
    listed: quoted(`${name}_listed`),
    due: quoted(`${name}_due`),
    record: named('_record'),
    check: named('_check'),
    save: named('_save'),
    openPage: named('_open_page'),
    duePage: named('_due_page'),
    server: named('_server'),
  };
}

/** The version of the tables, recorded in the comment on the table of claims. */
const version = 1;

/** Keys are compared as bytes, so that a new version of a language's collation cannot corrupt an index. */
const key = 'text COLLATE "C" PRIMARY KEY';

const spaceOf = (value: string) => `split_part(${value}, '/', 1)`;
/** What the indexes have of a space. PostgreSQL refuses an entry of over 2704 bytes, and the key takes up to 1536 of them. */
const startOf = (space: string) => `left(${space}, 128)`;
const indexedSpace = /* @__PURE__ */ (() => startOf(spaceOf('key')))();

/** The condition of the rows in a space, which the indexes of open claims and of documents that wait find. */
export const isInSpace = (space: string) =>
  `${indexedSpace} = ${startOf(space)} AND ${spaceOf('key')} = ${space}`;

/**
 * Without a sort, a plan reads an index in its order, and ends after a page. A plan made from old statistics may expect few rows: it
 * would read all of them and sort, once for each page.
 */
const inOrder = 'SET enable_sort = off';

/** The functions of pages: of open claims, and of documents that wait. Each reads as many rows as it returns. */
function pageFunctions({ claims, documents, openPage, duePage }: Tables): string {
  return `CREATE OR REPLACE FUNCTION ${openPage}(space text, since float8, after text, page integer)
RETURNS TABLE (key text, data text, attempt integer, claimed_at timestamptz, expires_at timestamptz) LANGUAGE sql ${inOrder} AS $function$
SELECT key, data, attempt, claimed_at, expires_at FROM ${claims}
WHERE listed AND ${isInSpace('$1')} AND (claimed_at, key) > ('epoch'::timestamptz + $2 * interval '1 millisecond', $3)
ORDER BY claimed_at, key LIMIT $4
$function$;
CREATE OR REPLACE FUNCTION ${duePage}(space text, last bigint, since bigint, after text, page integer)
RETURNS TABLE (key text, wake_at bigint) LANGUAGE sql ${inOrder} AS $function$
SELECT key, wake_at FROM ${documents}
WHERE ${isInSpace('$1')} AND wake_at <= $2 AND (wake_at, key) > ($3, $4)
ORDER BY wake_at, key LIMIT $5
$function$;`;
}

/** The columns of each table. */
const columns = {
  claims: {
    key,
    token: 'text',
    attempt: 'integer NOT NULL',
    completed: 'boolean NOT NULL',
    expires_at: 'timestamptz NOT NULL',
    claimed_at: 'timestamptz NOT NULL',
    data: 'text',
    listed: 'boolean GENERATED ALWAYS AS (data IS NOT NULL AND NOT completed) STORED',
  },
  velocity: { key, expires_at: 'timestamptz NOT NULL', counted: "jsonb NOT NULL DEFAULT '{}'" },
  snapshots: { key, version: 'bigint NOT NULL', data: 'text NOT NULL' },
  documents: { key, version: 'bigint NOT NULL', data: 'text NOT NULL', wake_at: 'bigint', token: 'text' },
  references: { key, document: 'text COLLATE "C" NOT NULL' },
};
/** The columns that may be added to a table with rows, in this order: an empty one is right for each row. */
const addable = [
  ['claims', 'data', columns.claims.data],
  ['claims', 'listed', columns.claims.listed],
  ['documents', 'wake_at', columns.documents.wake_at],
  ['documents', 'token', columns.documents.token],
] as const;
const tableKinds = ['claims', 'velocity', 'snapshots', 'documents', 'references'] as const;

function columnsOf(kind: (typeof tableKinds)[number]): string {
  return Object.entries(columns[kind])
    .map((column) => column.join(' '))
    .join(',\n  ');
}

/**
 * Returns the statements that create the tables. Each is idempotent.
 *
 * Most updates are HOT: they write to no index, and PostgreSQL prunes their dead rows without a vacuum. So no index has
 * a column that they change, not even in its condition, and pages have room for a second version of their rows. An
 * existing table keeps its fill factor, since a partitioned table has none. The factors are measured: with 90 nearly
 * all completions are HOT, even with 1000 claims in flight, and a lower factor only adds blocks. Velocity rows are
 * larger, and so are documents, whose update is HOT unless it changes `wake_at`.
 */
export function schemaOf(tables: Tables): string {
  const { claims, velocity, snapshots, documents, references, listed, due } = tables;
  return `CREATE TABLE IF NOT EXISTS ${claims} (
  ${columnsOf('claims')}
) WITH (fillfactor = 90);
CREATE INDEX IF NOT EXISTS ${listed} ON ${claims} (${indexedSpace}, claimed_at, key) WHERE listed;
CREATE TABLE IF NOT EXISTS ${velocity} (
  ${columnsOf('velocity')}
) WITH (fillfactor = 70);
CREATE TABLE IF NOT EXISTS ${snapshots} (
  ${columnsOf('snapshots')}
);
CREATE TABLE IF NOT EXISTS ${documents} (
  ${columnsOf('documents')}
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS ${due} ON ${documents} (${indexedSpace}, wake_at, key) WHERE wake_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS ${references} (
  ${columnsOf('references')}
);
${recordFunction(tables)}
${velocityFunction(tables)}
${saveFunction(tables)}
${pageFunctions(tables)}
${serverFunction(tables)}
COMMENT ON TABLE ${claims} IS 'payments-client store, version ${version}';
`;
}

/**
 * Returns the function that names the server and its history: the cluster, its timeline, which each promotion and each recovery to a point in
 * time raises, the database and the table, which another restore creates anew. Null where the server does not tell, since a claim must not fail for it.
 */
function serverFunction({ claims, server }: Pick<Tables, 'claims' | 'server'>): string {
  return `CREATE OR REPLACE FUNCTION ${server}() RETURNS text LANGUAGE plpgsql AS $function$
BEGIN
  RETURN concat_ws('.', (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (SELECT oid FROM pg_database WHERE datname = current_database()), '${claims}'::regclass::oid);
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$function$;`;
}

const text = (value: string) => `'${value}'`;
const list = (values: readonly string[]) => values.join(', ');

/**
 * Returns a statement that looks for the tables: `version` of their comment, `missing` columns of tables that exist, and
 * whether they are `complete` with their keys, indexes and functions. It needs no rights but USAGE of the schema.
 */
export function inspection(tables: Tables): string {
  const { claims, documents, listed, due, check, record, save, openPage, duePage, server } = tables;
  const found = tableKinds.map((kind) => `to_regclass(${text(tables[kind])})`);
  const required = tableKinds.flatMap((kind) =>
    Object.keys(columns[kind]).map((column) => `(${text(tables[kind])}, ${text(column)})`),
  );
  const functions = [
    `${record}(text, text, float8, integer)`,
    `${check}(text, jsonb)`,
    `${save}(text, bigint, text, bigint, jsonb, text)`,
    `${openPage}(text, float8, text, integer)`,
    `${duePage}(text, bigint, bigint, text, integer)`,
    `${server}()`,
  ].map((signature) => `to_regprocedure(${text(signature)})`);
  const hasIndex = (table: string, index: string) =>
    `EXISTS (SELECT FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid
      WHERE indrelid = to_regclass(${text(table)}) AND ${text(index)} = '"' || relname || '"')`;
  return `
SELECT substring(obj_description(to_regclass(${text(claims)}), 'pg_class')
    FROM '^payments-client store, version (\\d+)') AS version,
  (SELECT string_agg(place || '.' || name, ', ') FROM (VALUES ${list(required)}) AS required (place, name)
    WHERE to_regclass(place) IS NOT NULL AND NOT EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = to_regclass(place) AND attname = name AND NOT attisdropped
    )) AS missing,
  num_nulls(${list([...found, ...functions])}) = 0
    AND ${found.length} = (SELECT count(*) FROM pg_index WHERE indisprimary AND indrelid = ANY (ARRAY[${list(found)}]))
    AND ${hasIndex(claims, listed)} AND ${hasIndex(documents, due)} AS complete`;
}

/** Splits what the inspection says of missing columns. */
const namesOf = (missing: unknown) => (typeof missing === 'string' ? missing.split(', ') : []);

/** Returns the statements that add missing columns, by their names. Each locks its table, so there are none for columns that exist. */
function additionsOf(tables: Tables): ReadonlyMap<string, string> {
  return new Map(
    addable.map(([kind, column, type]) => [
      `${tables[kind]}.${column}`,
      `ALTER TABLE ${tables[kind]} ADD COLUMN IF NOT EXISTS ${column} ${type};`,
    ]),
  );
}

/**
 * Returns whether nothing needs to be created.
 *
 * @param found The row that the inspection returned.
 * @throws ConfigurationError for tables of another version, or of something else.
 */
export function isCurrent(
  tables: Tables,
  { version: present, missing, complete }: Readonly<Record<string, unknown>>,
): boolean {
  const { claims } = tables;
  const refusal = (expected: string, received: string, advice: string) =>
    configurationError([{ path: 'postgresStore.table', expected, received }], advice);
  if (typeof present === 'string' && Number(present) !== version) {
    const advice = versionAdvice(Number(present), version);
    throw refusal(`no table ${claims}, or one of version ${version}`, `one of version ${present}`, advice);
  }
  const additions = additionsOf(tables);
  if (namesOf(missing).some((name) => !additions.has(name))) {
    const advice = foreignAdvice("tables of its own, with the option 'table'");
    throw refusal('no tables, or tables with the columns of the schema', `tables without ${missing}`, advice);
  }
  return complete === true && namesOf(missing).length === 0;
}

/**
 * Returns one statement that creates whatever is missing, and a primary key if a restore left it out. Processes that start at the
 * same time take turns.
 *
 * @param found The row that the inspection returned.
 */
export function creation(tables: Tables, { missing }: Readonly<Record<string, unknown>>): string {
  const added = [...additionsOf(tables)].filter(([name]) => namesOf(missing).includes(name));
  return `DO $creation$
DECLARE
  place regclass;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('payments-client store'), hashtext('${tables.claims}'));
  ${added.map(([, addition]) => addition).join('\n  ')}
  ${schemaOf(tables)}
  FOREACH place IN ARRAY ARRAY[${list(tableKinds.map((kind) => text(tables[kind])))}]::regclass[] LOOP
    IF NOT EXISTS (SELECT FROM pg_index WHERE indrelid = place AND indisprimary) THEN
      EXECUTE format('ALTER TABLE %s ADD PRIMARY KEY (key)', place);
    END IF;
  END LOOP;
END
$creation$`;
}
