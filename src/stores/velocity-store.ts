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
 * Counts attempts for a velocity guard. Processes that share a store share their limits.
 *
 * An attempt is within the window while its time is later than `at - windowMs`. `countAttempts` is atomic for each key: of two concurrent
 * calls one sees the attempt of the other, or both would slip under a limit.
 */
export interface VelocityStore {
  /**
   * Drops what is no longer within the window, adds each attempt unless its id is there, and returns the totals: one per entry, in the
   * order of the entries, whose keys all differ. An attempt that is there already stays as it is.
   */
  countAttempts(entries: readonly VelocityEntry[]): Promise<readonly VelocityTotals[]>;
  /** Removes attempts. One that is not there is ignored. */
  removeAttempts(references: readonly VelocityReference[]): Promise<void>;
}
