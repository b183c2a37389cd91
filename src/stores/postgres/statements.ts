import { attemptsRetention } from '../records/claim.ts';
import { waitsAs } from './durability.ts';
import { isOver, present } from './record.ts';
import { isInSpace, type Tables } from './table.ts';

/** How many records one statement of `purge` deletes: few, so that it holds its locks briefly. */
export const purgeBatch = 1000;

/** How many blocks one statement of `purge` reads: a MiB, in which a bounded number of rows expires at once. */
export const purgeBlocks = 128;

const ms = (value: string) => `${value}::float8 * interval '1 millisecond'`;

/** The ms between two times, at least 0, rounded with the function. */
const msBetween = (round: 'ceil' | 'floor', from: string, to: string) =>
  `greatest(0, ${round}(extract(epoch FROM ${to} - ${from}) * 1000))::float8`;

const openColumns =
  /* @__PURE__ */ (() => `key, data, attempt, (extract(epoch FROM claimed_at) * 1000)::float8 AS since,
    ${msBetween('ceil', 'clock_timestamp()', 'expires_at')} AS leased,
    ${msBetween('floor', 'claimed_at', 'clock_timestamp()')} AS age`)();

const inSpace = /* @__PURE__ */ (() => `listed AND ${isInSpace('$1')}`)();

/** The statement ran before, but its answer was lost: some clients resend it on another connection. */
const isResent = 'record.token = excluded.token AND NOT record.completed';

/** A tenth or more of the lease in $3 is over. */
const isLate = /* @__PURE__ */ (() => `expires_at < clock_timestamp() + 0.9 * ${ms('$3')} AS is_late`)();

/**
 * The statements of claims. `expires_at` is the end of the lease, or, for a completed record, the end of its retention;
 * at either time the key becomes free. A record without a token was released, so it is free. A record released with a
 * retention is also `completed`, so it is not open and gets purged.
 *
 * The clock is `clock_timestamp()`, since `now()` stands still inside a transaction. DO UPDATE evaluates its
 * expressions after it locks the row. An UPDATE or INSERT may evaluate them before it waits for another transaction.
 * Then a retention is shorter by the wait, which is negligible, and a lease is renewed.
 */
export function claimStatements({ claims, record, openPage, server }: Tables) {
  const granted = `RETURNING attempt, data, ${isLate}`;
  const serverOfData = `CASE WHEN $4::text IS NOT NULL THEN ${server}() END AS server`;
  return {
    /**
     * $1 key, $2 token, $3 lease in ms, $4 data or null, $5 durability. Returns a row if the key was
     * new, the usual case, with the name of the `server` if there is data: this costs the server half as much as the statement below, which handles known keys.
     *
     * `is_late`: part of the lease was over before the row existed. This happens when the statement waited for another
     * transaction that inserted the same key and then rolled back.
     */
    insert: `
INSERT INTO ${claims} (key, token, attempt, completed, expires_at, claimed_at, data)
SELECT $1, $2, 1, false, clock_timestamp() + ${ms('$3')}, ${present}, $4
WHERE ${waitsAs('$5')}
ON CONFLICT (key) DO NOTHING
${granted}, ${serverOfData}`,

    /**
     * $1 key, $2 token, $3 lease in ms, $4 data of a new key or null, $5 whether to take a running claim over, $6 durability. Returns a row as above if the
     * key was claimed.
     */
    claim: `
INSERT INTO ${claims} AS record (key, token, attempt, completed, expires_at, claimed_at, data)
SELECT $1, $2, 1, false, clock_timestamp() + ${ms('$3')}, ${present}, $4
WHERE ${waitsAs('$6')}
ON CONFLICT (key) DO UPDATE SET
  token = excluded.token,
  attempt = CASE WHEN ${isOver} THEN 1 WHEN ${isResent} THEN record.attempt ELSE record.attempt + 1 END,
  completed = false,
  expires_at = clock_timestamp() + ${ms('$3')},
  claimed_at = CASE WHEN ${isOver} THEN ${present} ELSE record.claimed_at END,
  data = CASE WHEN ${isOver} THEN excluded.data ELSE record.data END
WHERE record.token IS NULL OR record.expires_at <= clock_timestamp() OR (${isResent}) OR $5::boolean AND NOT record.completed
${granted}, ${serverOfData}`,

    /** $1 key, $2 token, $3 lease in ms. Renews the lease; returns a row as above if the token still holds the claim. */
    renew: `
UPDATE ${claims} SET expires_at = clock_timestamp() + ${ms('$3')}
WHERE key = $1 AND token = $2 AND NOT completed
${granted}`,

    /** $1 key. Returns the data, and the remaining lease in ms, null if completed; no row if the key is free by now. */
    held: `
SELECT data, CASE WHEN NOT completed
  THEN greatest(1, ceil(extract(epoch FROM expires_at - clock_timestamp()) * 1000))::float8 END AS rest
FROM ${claims} WHERE key = $1 AND token IS NOT NULL AND expires_at > clock_timestamp()`,

    /** $1 key. Returns whether it is completed, and the data; no row if it is not known, or is forgotten. */
    find: `
SELECT data, completed AND token IS NOT NULL AS completed
FROM ${claims} AS record WHERE key = $1 AND NOT (${isOver} AND expires_at <= clock_timestamp())`,

    /** $1 key, $2 token, $3 retention in ms, $4 data or null, $5 durability. Returns a row if the token still held the claim. */
    complete: `
UPDATE ${claims} SET completed = true, data = coalesce($4, data), expires_at = CASE
  WHEN completed THEN greatest(expires_at, clock_timestamp() + ${ms('$3')})
  ELSE clock_timestamp() + ${ms('$3')} END
WHERE key = $1 AND token = $2 AND (NOT completed OR expires_at > clock_timestamp()) AND ${waitsAs('$5')}
RETURNING key`,

    /** $1 key, $2 token, $3 lease in ms, $4 data or null, $5 durability. Returns a row if the token still held the claim. */
    extend: `
UPDATE ${claims} SET expires_at = clock_timestamp() + ${ms('$3')}, data = coalesce($4, data)
WHERE key = $1 AND token = $2 AND NOT completed AND ${waitsAs('$5')}
RETURNING key`,

    /** $1 key, $2 token, $3 retention in ms or null, $4 data or null, $5 durability. Returns a row if the token still held the claim. */
    release: `
UPDATE ${claims} SET token = NULL, data = coalesce($4, data), completed = $3::float8 IS NOT NULL,
  expires_at = clock_timestamp() + ${ms('coalesce($3, 0)')}
WHERE key = $1 AND token = $2 AND NOT completed AND ${waitsAs('$5')}
RETURNING key`,

    /** $1 key, $2 token, $3 retention in ms, $4 idle time in ms or null. The function is in `postgres-record.ts`. */
    record: `SELECT ${record}($1, $2, $3, $4) AS attempt`,

    /**
     * $1 space, $2 `since` and $3 key of the last claim of the previous page, $4 page size, $5 whether to count. Returns the number of
     * open claims in each row, or null without reading them, and one row without a key if the page is empty.
     */
    open: `
SELECT CASE WHEN $5::boolean THEN (SELECT count(*)::float8 FROM ${claims} WHERE ${inSpace}) END AS count, ${openColumns}
FROM (SELECT) AS total LEFT JOIN ${openPage}($1, $2::float8, $3, $4::integer) ON true
ORDER BY claimed_at, key COLLATE "C"`,

    /**
     * $1 space, $2 the last key of the previous page, $3 page size. Returns keys with their data. `0` is the character after `/`: the
     * range, which the primary key finds, has the keys of the space and a few others.
     */
    scan: `
SELECT key, data FROM ${claims} AS record
WHERE key >= $1 AND key < $1 || '0' AND key > $2 AND ${isInSpace('$1')}
  AND data IS NOT NULL AND NOT (${isOver} AND expires_at <= clock_timestamp())
ORDER BY key LIMIT $3`,

    /** $1 key, $2 data, $3 other data, $4 durability. Returns a row if the key had this data. */
    replace: `
UPDATE ${claims} AS record SET data = $3
WHERE key = $1 AND data = $2 AND NOT (${isOver} AND expires_at <= clock_timestamp()) AND ${waitsAs('$4')}
RETURNING key`,

    /** $1 key. Returns its row as above, if it is open. */
    findOpen: `SELECT ${openColumns} FROM ${claims} WHERE listed AND key = $1`,
  };
}

/** The conditions of the rows that `purge` deletes, by table. */
export function expiredRows({ claims, velocity }: Tables) {
  const isOver = 'expires_at <= statement_timestamp()';
  const isForgotten = `expires_at <= statement_timestamp() - ${ms(String(attemptsRetention))}`;
  return [
    { table: claims, condition: `${isOver} AND (completed OR data IS NULL AND ${isForgotten})` },
    { table: velocity, condition: isOver },
  ];
}

/**
 * Returns whether other connections go on when this one ends. A standalone backend, such as PGlite, would end with the program
 * around it. It reads the state of all backends, so it is asked once.
 */
export const isServerStatement = `
SELECT backend_type = 'client backend' AS is_server FROM pg_stat_get_activity(pg_backend_pid())`;

/** $1 quoted table name. Returns a row for the table and each of its partitions, with its quoted name and number of blocks. */
export const partsStatement = `
SELECT part::text, pg_relation_size(part) / current_setting('block_size')::int8 AS blocks
FROM (SELECT $1::regclass AS part UNION SELECT relid FROM pg_partition_tree($1::regclass)) AS parts`;

/**
 * $1 first block, $2 the block after the last, each as a `ctid`. Returns how many records it deleted there.
 *
 * Scans blocks instead of using an index, which each update of a record would have to maintain. Leaves a row locked by
 * a transaction for the next run.
 */
export function purgeStatement(part: string, condition: string): string {
  return `
WITH deleted AS (
  DELETE FROM ${part} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${part} WHERE ctid >= $1::tid AND ctid < $2::tid AND ${condition}
    LIMIT ${purgeBatch} FOR UPDATE SKIP LOCKED
  ))
  RETURNING 1
)
SELECT count(*)::int4 AS deleted FROM deleted`;
}

/**
 * $1 attempt, $2 its entries as JSON, cast from text: some clients would encode it again. Returns a row of totals per entry. The
 * function is in `postgres-velocity.ts`.
 */
export function checkStatement({ check }: Tables): string {
  return `SELECT * FROM ${check}($1, $2::text::jsonb)`;
}

/** The statements of snapshots. */
export function snapshotStatements({ snapshots }: Tables) {
  return {
    /** $1 key, $2 version, $3 data, $4 the version that it replaces, or null for none, $5 durability. Returns a row if the key has no other one. */
    replace: `
INSERT INTO ${snapshots} AS record (key, version, data) SELECT $1, $2::bigint, $3 WHERE ${waitsAs('$5')}
ON CONFLICT (key) DO UPDATE SET version = excluded.version, data = excluded.data
WHERE record.version = $4::bigint
RETURNING version`,

    /** $1 key. Returns the version and its data. */
    find: `SELECT version, data FROM ${snapshots} WHERE key = $1`,
  };
}
