import type { Table } from './postgres-table.ts';

/** How many records one statement of `purge` deletes, so that none holds its locks for long. */
export const purgeBatch = 1000;

const ms = (value: string) => `${value}::float8 * interval '1 millisecond'`;

/** Of the lease in $3 a tenth or more is over. */
const isLate = `expires_at < clock_timestamp() + 0.9 * ${ms('$3')} AS is_late`;

/**
 * The statements of the store. `expires_at` is when the lease runs out, or, once a record is completed, when it is no
 * longer remembered; at either time the key may be claimed.
 *
 * The clock is `clock_timestamp()`, since `now()` stands still inside a transaction. DO UPDATE computes its expressions once
 * it holds the row. An UPDATE or INSERT may compute them before it waits for another transaction: then a retention is
 * shorter by the wait, which is nothing beside days, and a lease is begun anew.
 */
export function statementsFor({ name }: Table) {
  return {
    /**
     * $1 key, $2 token, $3 lease in ms. A row, where it was claimed.
     *
     * `is_late`: part of the lease was over before the row was there. So it is where the statement waited for another
     * transaction that inserted the same key and then rolled back.
     */
    claim: `
INSERT INTO ${name} AS record (key, token, attempt, completed, expires_at)
VALUES ($1, $2, 1, false, clock_timestamp() + ${ms('$3')})
ON CONFLICT (key) DO UPDATE SET
  token = excluded.token,
  attempt = CASE WHEN record.completed THEN 1 ELSE record.attempt + 1 END,
  completed = false,
  expires_at = clock_timestamp() + ${ms('$3')}
WHERE record.expires_at <= clock_timestamp()
RETURNING attempt, ${isLate}`,

    /** $1 key, $2 token, $3 lease in ms. Begins the lease anew; a row as above, where the claim is still that token's. */
    renew: `
UPDATE ${name} SET expires_at = clock_timestamp() + ${ms('$3')}
WHERE key = $1 AND token = $2 AND NOT completed
RETURNING attempt, ${isLate}`,

    /** $1 key. The rest of the lease in ms, null where it is completed; no row where it may be claimed by now. */
    find: `
SELECT CASE WHEN NOT completed
  THEN greatest(1, ceil(extract(epoch FROM expires_at - clock_timestamp()) * 1000))::float8 END AS rest
FROM ${name} WHERE key = $1 AND expires_at > clock_timestamp()`,

    /** $1 key, $2 token, $3 retention in ms. A row, where the claim was still that token's. */
    complete: `
UPDATE ${name} SET completed = true, expires_at = CASE
  WHEN completed THEN greatest(expires_at, clock_timestamp() + ${ms('$3')})
  ELSE clock_timestamp() + ${ms('$3')} END
WHERE key = $1 AND token = $2 AND (NOT completed OR expires_at > clock_timestamp())
RETURNING key`,

    /** $1 key, $2 token. A row, where the claim was still that token's. */
    release: `
UPDATE ${name} SET token = NULL, expires_at = clock_timestamp()
WHERE key = $1 AND token = $2 AND NOT completed
RETURNING key`,

    /**
     * $1 how long the attempts of a claim are kept, in ms. Gives how many records were deleted.
     *
     * An index serves `statement_timestamp()`, which is the same for all rows, and not `clock_timestamp()`. A row that a
     * transaction holds is left for the next time.
     */
    purge: `
WITH deleted AS (
  DELETE FROM ${name} WHERE key = ANY (ARRAY(
    SELECT key FROM ${name}
    WHERE expires_at <= statement_timestamp()
      AND (completed OR expires_at <= statement_timestamp() - ${ms('$1')})
    ORDER BY expires_at LIMIT ${purgeBatch} FOR UPDATE SKIP LOCKED
  ))
  RETURNING key
)
SELECT count(*)::int4 AS deleted FROM deleted`,
  };
}
