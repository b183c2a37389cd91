/** One attempt under one key. */
export interface VelocityEntry {
  /** The rule's name and keyed hashes, in printable ASCII of at most 200 characters; it says nothing about the card. */
  readonly key: string;
  /** The attempt, as a keyed hash. Within a key there is at most one entry of an id. */
  readonly id: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** How much, in ten-thousandths; 0 where the rule counts attempts. */
  readonly amount: bigint;
  /** How far back from `at` the totals reach, in milliseconds. It is always the same for a key. */
  readonly windowMs: number;
}

/** What there is under a key within the window, the entry that was just recorded included. */
export interface VelocityTotals {
  /** How many entries. */
  readonly count: number;
  /** Their amounts together, in ten-thousandths. */
  readonly sum: bigint;
  /** When the oldest of them was, in milliseconds since 1970. */
  readonly oldestAt: number;
  /** Whether the entry was added; false where its id was there already, within the window. */
  readonly added: boolean;
}

/** Names one entry. */
export type VelocityReference = Pick<VelocityEntry, 'key' | 'id'>;

/**
 * Where a {@link VelocityGuard} counts. Processes that share a store share their limits.
 *
 * An entry is within the window while its time is later than `at - windowMs`. `record` must be atomic for each key: of
 * two calls at once one must see the entry of the other, or both slip under a limit. That is one Lua script on Redis
 * (`ZREMRANGEBYSCORE key -inf at-windowMs`, `ZADD NX`, then the totals, and `PEXPIRE key windowMs`), or one transaction
 * on Postgres (an advisory lock on the key, `DELETE`, `INSERT … ON CONFLICT DO NOTHING`, `SELECT count, sum, min`).
 */
export interface VelocityStore {
  /**
   * Drops what is no longer within the window, adds the entry unless its id is there, and gives the totals: one per
   * entry, in the order of the entries, whose keys all differ. An entry that is there already stays as it is.
   */
  record(entries: readonly VelocityEntry[]): Promise<readonly VelocityTotals[]>;
  /** Takes entries out. One that is not there is no error. */
  remove(references: readonly VelocityReference[]): Promise<void>;
}
