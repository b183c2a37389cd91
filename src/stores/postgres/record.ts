/** The names that the function of `record` needs; quoted, with their schema if one was given. */
export interface RecordNames {
  /** The table of claims. */
  readonly claims: string;
  /** The function that claims and completes a key. */
  readonly record: string;
}

/**
 * Whether a claim treats the key as new. A key released with a retention stays known until it is purged: otherwise
 * the clock could pass the end of the retention between two columns of the statement.
 */
export const isOver = 'record.completed AND record.token IS NOT NULL';

/** The present time in whole ms, since `since` of an open claim is exact. */
export const present = "date_trunc('milliseconds', clock_timestamp())";

const until = `clock_timestamp() + retention * interval '1 millisecond'`;

/**
 * Returns the function that claims and completes a key in the caller's transaction. It returns the attempt, null if the
 * key is not free, and 0 if another transaction still has the key after 2 s.
 *
 * A function restores `lock_timeout` when it returns, so the caller's other statements wait as before. It also catches
 * the time-out, which would end the transaction. The idle time stays set until the transaction ends.
 */
export function recordFunction({ claims, record }: RecordNames): string {
  return `CREATE OR REPLACE FUNCTION ${record}(record_key text, record_token text, retention float8, idle integer)
RETURNS integer LANGUAGE plpgsql SET lock_timeout = '2s' AS $function$
#variable_conflict use_column
DECLARE
  claimed integer;
BEGIN
  IF idle IS NOT NULL THEN
    PERFORM set_config('idle_in_transaction_session_timeout', idle::text, true);
  END IF;
  INSERT INTO ${claims} AS record (key, token, attempt, completed, expires_at, claimed_at)
  VALUES (record_key, record_token, 1, true, ${until}, ${present})
  ON CONFLICT (key) DO UPDATE SET
    token = excluded.token,
    attempt = CASE WHEN ${isOver} THEN 1 ELSE record.attempt + 1 END,
    completed = true,
    expires_at = ${until},
    claimed_at = CASE WHEN ${isOver} THEN ${present} ELSE record.claimed_at END,
    data = NULL
  WHERE record.token IS NULL OR record.expires_at <= clock_timestamp()
  RETURNING attempt INTO claimed;
  RETURN claimed;
EXCEPTION WHEN lock_not_available THEN
  RETURN 0;
END
$function$;`;
}
