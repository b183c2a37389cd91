/** The names of the velocity objects in a database; quoted, with their schema if one was given. */
export interface VelocityNames {
  /** The table of counted attempts. */
  readonly velocity: string;
  /** The function that checks an attempt and counts it. */
  readonly check: string;
}

/** The values of an entry in JSON. */
const entryColumns =
  'key text, amount numeric, most numeric, span bigint, width bigint, blocks boolean, token text, keeps boolean';
/** The result of a count's first step for each entry. */
const judgedColumns =
  'key text, amount numeric, blocks boolean, start bigint, expires float8, is_new boolean, buckets jsonb, total numeric, exceeded boolean, oldest float8, token text';

/**
 * A plan made while the table was small may scan all of it, and a connection keeps its plans until the next ANALYZE.
 * Each check would then cost more with every attempt. These settings find each row by its key.
 */
export const byIndex = 'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

/**
 * The function of counted attempts, one round trip. A row is either a key, with an amount per bucket start, or an
 * attempt, with the bucket start, amount and token for each key. Amounts are texts in JSON, so that they stay exact.
 *
 * It locks the rows of keys first, in key order, and then the row of the attempt, so no two calls deadlock. Each
 * statement of the function sees the commits made while the previous one waited; at REPEATABLE READ and SERIALIZABLE it
 * fails with `40001`.
 *
 * The row of a key expires with its newest bucket.
 */
export function velocityFunction({ velocity, check }: VelocityNames): string {
  return `CREATE OR REPLACE FUNCTION ${check}(attempt text, entries jsonb)
RETURNS TABLE (key text, total text, exceeded boolean, oldest float8, token text) LANGUAGE plpgsql ${byIndex} AS $function$
#variable_conflict use_column
DECLARE
  attempt_key text := 'attempt ' || attempt;
  present bigint;
  name text;
  judged jsonb;
  taken text[] := ARRAY(SELECT key FROM jsonb_to_recordset(entries) AS entry (key text, amount numeric) WHERE amount = 0);
BEGIN
  FOR name IN SELECT key FROM jsonb_to_recordset(entries) AS entry (key text) ORDER BY key COLLATE "C" LOOP
    LOOP
      PERFORM FROM ${velocity} WHERE key = name FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO ${velocity} (key, expires_at) VALUES (name, clock_timestamp()) ON CONFLICT (key) DO NOTHING;
    END LOOP;
  END LOOP;

  IF cardinality(taken) > 0 THEN
    UPDATE ${velocity} AS record SET counted = CASE WHEN rest.amount > 0
      THEN record.counted || jsonb_build_object(part.start, rest.amount::text)
      ELSE record.counted - part.start END
    FROM ${velocity} AS own
    CROSS JOIN LATERAL (
      SELECT key, value ->> 0 AS start, (value ->> 1)::numeric AS amount, value ->> 2 AS token FROM jsonb_each(own.counted)
    ) AS part
    JOIN jsonb_to_recordset(entries) AS entry (${entryColumns})
      ON entry.key = part.key AND entry.token = part.token AND entry.amount = 0 AND NOT entry.keeps
    JOIN ${velocity} AS found ON found.key = part.key AND found.counted ? part.start
    CROSS JOIN LATERAL (SELECT (found.counted ->> part.start)::numeric - part.amount AS amount) AS rest
    WHERE own.key = attempt_key AND record.key = found.key;
    UPDATE ${velocity} AS own SET counted = own.counted - ARRAY(
      SELECT entry.key FROM jsonb_to_recordset(entries) AS entry (${entryColumns})
      WHERE entry.amount = 0 AND own.counted -> entry.key ->> 2 = entry.token
    ) WHERE own.key = attempt_key;
  END IF;

  present := floor(extract(epoch FROM clock_timestamp()) * 1000);
  SELECT coalesce(jsonb_agg(to_jsonb(one)), '[]') INTO judged FROM (
    SELECT entry.key, entry.amount, entry.blocks, times.start,
      (times.start + entry.width + entry.span) / 1000.0 AS expires,
      NOT known.is_counted AND entry.amount > 0 AS is_new,
      recent.buckets, sums.total, sums.total > entry.most AS exceeded, least(recent.oldest, times.start) AS oldest,
      CASE WHEN known.is_counted THEN own.counted -> entry.key ->> 2 ELSE entry.token END AS token
    FROM jsonb_to_recordset(entries) AS entry (${entryColumns})
    JOIN ${velocity} AS record ON record.key = entry.key
    LEFT JOIN ${velocity} AS own ON own.key = attempt_key
    CROSS JOIN LATERAL (
      SELECT present / entry.width * entry.width AS start,
        (present - entry.span + 1) / entry.width * entry.width AS first
    ) AS times
    CROSS JOIN LATERAL (
      SELECT coalesce((own.counted -> entry.key ->> 0)::bigint >= times.first, false) AS is_counted
    ) AS known
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_object_agg(bucket.start, bucket.amount), '{}') AS buckets,
        coalesce(sum(bucket.amount::numeric), 0) AS total, min(bucket.start::bigint) AS oldest
      FROM jsonb_each_text(record.counted) AS bucket (start, amount)
      WHERE bucket.start::bigint >= times.first
    ) AS recent
    CROSS JOIN LATERAL (
      SELECT recent.total + CASE WHEN known.is_counted THEN 0 ELSE entry.amount END AS total
    ) AS sums
  ) AS one;

  IF NOT EXISTS (SELECT FROM jsonb_to_recordset(judged) AS one (${judgedColumns}) WHERE blocks AND exceeded) THEN
    UPDATE ${velocity} AS record SET
      counted = one.buckets || jsonb_build_object(
        one.start, (coalesce((one.buckets ->> one.start::text)::numeric, 0) + one.amount)::text),
      expires_at = to_timestamp(one.expires)
    FROM jsonb_to_recordset(judged) AS one (${judgedColumns})
    WHERE record.key = one.key AND one.is_new;

    INSERT INTO ${velocity} AS record (key, counted, expires_at)
    SELECT attempt_key, jsonb_object_agg(key, jsonb_build_array(start, amount::text, token)), to_timestamp(max(expires))
    FROM jsonb_to_recordset(judged) AS one (${judgedColumns})
    WHERE is_new HAVING count(*) > 0
    ON CONFLICT (key) DO UPDATE SET
      counted = record.counted || excluded.counted,
      expires_at = greatest(record.expires_at, excluded.expires_at);
  ELSE
    taken := ARRAY(SELECT key FROM jsonb_to_recordset(entries) AS entry (key text));
  END IF;
  -- Rows that were made to be locked, or of which nothing is left.
  DELETE FROM ${velocity} WHERE key = ANY (taken) AND counted = '{}';

  RETURN QUERY SELECT one.key, one.total::text, one.exceeded, one.oldest, one.token
    FROM jsonb_to_recordset(judged) AS one (${judgedColumns});
END
$function$;`;
}
