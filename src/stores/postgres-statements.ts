import { attemptsRetention } from './attempts.ts';
import type { Tables } from './postgres-table.ts';

/** How many records one statement of `purge` deletes, so that none holds its locks for long. */
export const purgeBatch = 1000;

/** How many blocks one statement of `purge` reads: a MiB, of which a bounded number of rows expires at once. */
export const purgeBlocks = 128;

const ms = (value: string) => `${value}::float8 * interval '1 millisecond'`;

/** The ms between two times, at least 0, rounded by the function. */
const msBetween = (round: 'ceil' | 'floor', from: string, to: string) =>
  `greatest(0, ${round}(extract(epoch FROM ${to} - ${from}) * 1000))::float8`;

/**
 * The key of the record is new, where the claim may have it. A key that was released with a retention is known until it is purged: the clock
 * may pass the end of the retention between two columns of the statement.
 */
const isOver = 'record.completed AND record.token IS NOT NULL';

/** The statement ran before, and its answer was lost: some clients send it again on another connection. */
const isResent = 'record.token = excluded.token AND NOT record.completed';

/** Of the lease in $3 a tenth or more is over. */
const isLate = `expires_at < clock_timestamp() + 0.9 * ${ms('$3')} AS is_late`;

/**
 * The statements of the claims. `expires_at` is when the lease runs out, or, once a record is completed, when it is no
 * longer remembered; at either time the key may be claimed. A record without a token was released, so it may be claimed at once. If it
 * was released with a retention, it is `completed` too: so it is not open, and it is purged.
 *
 * The clock is `clock_timestamp()`, since `now()` stands still inside a transaction. DO UPDATE computes its expressions once
 * it holds the row. An UPDATE or INSERT may compute them before it waits for another transaction: then a retention is
 * shorter by the wait, which is nothing beside days, and a lease is begun anew.
 */
export function claimStatements({ claims }: Tables) {
  return {
    /**
     * $1 key, $2 token or null, $3 lease or retention in ms, $4 data or null, $5 attempt, $6 whether it is completed. A row, where the key was new, as it
     * is most of the time: this costs the server half of what the statements below do, which are for a known key.
     *
     * `is_late`: part of the lease was over before the row was there. So it is where the statement waited for another
     * transaction that inserted the same key and then rolled back.
     */
    insert: `
INSERT INTO ${claims} (key, token, attempt, completed, expires_at, claimed_at, data)
VALUES ($1, $2, $5, $6, clock_timestamp() + ${ms('$3')}, clock_timestamp(), $4)
ON CONFLICT (key) DO NOTHING
RETURNING attempt, data, ${isLate}`,

    /** $1 key, $2 token, $3 lease in ms, $4 data of a new key or null. A row as above, where it was claimed. */
    claim: `
INSERT INTO ${claims} AS record (key, token, attempt, completed, expires_at, claimed_at, data)
VALUES ($1, $2, 1, false, clock_timestamp() + ${ms('$3')}, clock_timestamp(), $4)
ON CONFLICT (key) DO UPDATE SET
  token = excluded.token,
  attempt = CASE WHEN ${isOver} THEN 1 WHEN ${isResent} THEN record.attempt ELSE record.attempt + 1 END,
  completed = false,
  expires_at = clock_timestamp() + ${ms('$3')},
  claimed_at = CASE WHEN ${isOver} THEN clock_timestamp() ELSE record.claimed_at END,
  data = CASE WHEN ${isOver} THEN excluded.data ELSE record.data END
WHERE record.token IS NULL OR record.expires_at <= clock_timestamp() OR (${isResent})
RETURNING attempt, data, ${isLate}`,

    /** $1 key, $2 token, $3 lease in ms. Begins the lease anew; a row as above, where the claim is still that token's. */
    renew: `
UPDATE ${claims} SET expires_at = clock_timestamp() + ${ms('$3')}
WHERE key = $1 AND token = $2 AND NOT completed
RETURNING attempt, data, ${isLate}`,

    /** $1 key. The data, and the rest of the lease in ms, null where it is completed; no row where it may be claimed by now. */
    find: `
SELECT data, CASE WHEN NOT completed
  THEN greatest(1, ceil(extract(epoch FROM expires_at - clock_timestamp()) * 1000))::float8 END AS rest
FROM ${claims} WHERE key = $1 AND token IS NOT NULL AND expires_at > clock_timestamp()`,

    /** $1 key, $2 token, $3 retention in ms, $4 data or null. A row, where the claim was still that token's. */
    complete: `
UPDATE ${claims} SET completed = true, data = coalesce($4, data), expires_at = CASE
  WHEN completed THEN greatest(expires_at, clock_timestamp() + ${ms('$3')})
  ELSE clock_timestamp() + ${ms('$3')} END
WHERE key = $1 AND token = $2 AND (NOT completed OR expires_at > clock_timestamp())
RETURNING key`,

    /** $1 key, $2 token, $3 lease in ms, $4 data or null. A row, where the claim was still that token's. */
    extend: `
UPDATE ${claims} SET expires_at = clock_timestamp() + ${ms('$3')}, data = coalesce($4, data)
WHERE key = $1 AND token = $2 AND NOT completed
RETURNING key`,

    /** $1 key, $2 token, $3 retention in ms or null, $4 data or null. A row, where the claim was still that token's. */
    release: `
UPDATE ${claims} SET token = NULL, data = coalesce($4, data), completed = $3::float8 IS NOT NULL,
  expires_at = clock_timestamp() + ${ms('coalesce($3, 0)')}
WHERE key = $1 AND token = $2 AND NOT completed
RETURNING key`,

    /** $1 key, $2 data. A row, where the key was opened. */
    keep: `
INSERT INTO ${claims} AS record (key, attempt, completed, expires_at, claimed_at, data)
VALUES ($1, 0, false, clock_timestamp(), clock_timestamp(), $2)
ON CONFLICT (key) DO UPDATE SET
  token = CASE WHEN ${isOver} THEN NULL ELSE record.token END,
  attempt = CASE WHEN ${isOver} THEN 0 ELSE record.attempt END,
  completed = false,
  expires_at = CASE WHEN record.completed THEN clock_timestamp() ELSE record.expires_at END,
  claimed_at = CASE WHEN ${isOver} THEN clock_timestamp() ELSE record.claimed_at END,
  data = CASE WHEN ${isOver} THEN excluded.data ELSE coalesce(record.data, excluded.data) END
WHERE CASE WHEN record.completed
  THEN record.token IS NULL OR record.expires_at <= clock_timestamp()
  ELSE record.data IS NULL END
RETURNING key`,

    /** $1 key, $2 token, $3 retention in ms. A row, where it was claimed and completed. Kept data is handled by then, so it is emptied. */
    record: `
INSERT INTO ${claims} AS record (key, token, attempt, completed, expires_at, claimed_at)
VALUES ($1, $2, 1, true, clock_timestamp() + ${ms('$3')}, clock_timestamp())
ON CONFLICT (key) DO UPDATE SET
  token = excluded.token,
  attempt = CASE WHEN ${isOver} THEN 1 ELSE record.attempt + 1 END,
  completed = true,
  expires_at = clock_timestamp() + ${ms('$3')},
  claimed_at = CASE WHEN ${isOver} THEN clock_timestamp() ELSE record.claimed_at END,
  data = CASE WHEN record.data IS NOT NULL AND NOT (${isOver}) THEN '' END
WHERE record.token IS NULL OR record.expires_at <= clock_timestamp()
RETURNING attempt, data`,

    /** $1 what keys begin with, $2 the key before the page or an empty text, $3 the size of the page. */
    open: `
SELECT key, data, attempt, ${msBetween('ceil', 'clock_timestamp()', 'expires_at')} AS leased,
  coalesce(${msBetween('floor', 'claimed_at', 'clock_timestamp()')}, 0) AS age
FROM ${claims}
WHERE listed AND key >= $1 AND key > $2 AND starts_with(key, $1)
ORDER BY key LIMIT $3`,

    /**
     * $1 what keys begin with, $2 how many at most, $3 token, $4 lease in ms, $5 how many attempts a key may have had, $6 the key before the first or
     * an empty text. A row for each that was claimed.
     */
    take: `
UPDATE ${claims} SET token = $3, attempt = attempt + 1, expires_at = clock_timestamp() + ${ms('$4')}
WHERE key = ANY (ARRAY(
  SELECT key FROM ${claims}
  WHERE listed AND key >= $1 AND key > $6 AND starts_with(key, $1)
    AND (token IS NULL OR expires_at <= clock_timestamp()) AND attempt < $5
  ORDER BY key LIMIT $2 FOR UPDATE SKIP LOCKED
))
RETURNING key, attempt, data`,
  };
}

/** What `purge` deletes of each table. */
export function expiredRows({ claims, velocity }: Tables) {
  const isOver = 'expires_at <= statement_timestamp()';
  const isForgotten = `expires_at <= statement_timestamp() - ${ms(String(attemptsRetention))}`;
  return [
    { table: claims, condition: `${isOver} AND (completed OR data IS NULL AND ${isForgotten})` },
    { table: velocity, condition: isOver },
  ];
}

/** $1 the quoted name of a table. A row for it and for each of its partitions, with its quoted name and how many blocks it has. */
export const partsStatement = `
SELECT part::text, pg_relation_size(part) / current_setting('block_size')::int8 AS blocks
FROM (SELECT $1::regclass AS part UNION SELECT relid FROM pg_partition_tree($1::regclass)) AS parts`;

/**
 * $1 the first block and $2 the one after the last, each in the form of a `ctid`. Gives how many records were deleted there.
 *
 * The blocks are read in place of an index, which each update of a record would have to write to. A row that a transaction holds is left for the
 * next time.
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

/** The statements of counted attempts, whose functions are in `postgres-velocity.ts`. */
export function velocityStatements({ countAttempt, takeBackAttempt }: Tables) {
  return {
    /** $1 the attempt, $2 its entries as JSON. A row of totals for each entry. */
    count: `SELECT * FROM ${countAttempt}($1, $2)`,

    /** $1 the attempt, $2 its keys. */
    takeBack: `SELECT ${takeBackAttempt}($1, $2)`,
  };
}

/** The statements of snapshots. */
export function snapshotStatements({ snapshots }: Tables) {
  return {
    /** $1 key, $2 version, $3 data. A row, where the version is the highest so far. */
    advance: `
INSERT INTO ${snapshots} AS record (key, version, data) VALUES ($1, $2, $3)
ON CONFLICT (key) DO UPDATE SET version = excluded.version, data = excluded.data
WHERE record.version < excluded.version
RETURNING version, data`,

    /** $1 key. The version and its data. */
    find: `SELECT version, data FROM ${snapshots} WHERE key = $1`,
  };
}
