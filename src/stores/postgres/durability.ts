import type { PostgresClient } from './client.ts';

/**
 * When a commit is answered, as PostgreSQL's `synchronous_commit` has it. `off`: at once, and a crash may lose it. `on`: when it is on the disk,
 * and on that of a synchronous replica. Null: as the database or its client has set it.
 */
export type Durability = 'on' | 'off' | null;

/**
 * Returns a condition that is always true, and sets the durability of the statement's own transaction. It raises what a database or a role was
 * set to, and never lowers `remote_apply`.
 */
export const waitsAs = (parameter: string) => `(${parameter}::text IS NULL OR set_config('synchronous_commit',
  CASE WHEN ${parameter}::text = 'on' AND current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply'
    ELSE ${parameter}::text END, true) IS NOT NULL)`;

/**
 * Returns the durability of a write. Data says what was sent, or what came of it: what is sent after it must not outlive it. A transaction of the
 * merchant is theirs, and keeps what they set.
 */
export function durabilityOf(
  data: string | undefined,
  client: PostgresClient | undefined,
  pool: PostgresClient,
): Durability {
  return data !== undefined && (client === undefined || client === pool) ? 'on' : null;
}
