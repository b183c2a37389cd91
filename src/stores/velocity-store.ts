/** One limit that an attempt is checked against. */
export type VelocityEntry = {
  /** The rule's name and keyed hashes, in printable ASCII of at most 200 characters; it does not reveal the card. */
  readonly key: string;
  /** How much the attempt adds: 1 if the rule counts attempts, ten-thousandths if it sums amounts. */
  readonly amount: bigint;
  /** The most that may be counted within the window, including this attempt. */
  readonly limit: bigint;
  /** The length of the window, in ms; an integer from 1. */
  readonly windowMs: number;
  /** Whether an attempt above this limit is not counted under any key. */
  readonly blocks: boolean;
};

/** The total of a key. */
export type VelocityTotal = {
  /** The count within the window, including this attempt. */
  readonly total: bigint;
  /** Whether the total exceeds the limit. */
  readonly exceeded: boolean;
  /** When the oldest part of it leaves the window, in ms on the store's clock. */
  readonly freeAt: number;
};

/**
 * Counts attempts for a velocity guard. Processes that share a store share their limits. It uses the store's own clock.
 *
 * The stores of this package count in buckets, each a 60th of the window. An attempt counts for the whole window, and
 * for up to one bucket longer. So the cost of a check does not depend on the number of attempts of a key.
 */
export interface VelocityStore {
  /**
   * Checks an attempt against all its limits and counts it atomically: each concurrent attempt sees those before it. An
   * attempt that exceeds a blocking limit is not counted at all.
   *
   * An attempt whose id is already counted under a key is not counted there again.
   *
   * @param id The attempt, as a keyed hash.
   * @param entries Their keys must all differ.
   * @returns The totals, in the order of the entries.
   */
  countAttempt(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]>;
  /**
   * Removes an attempt from the counts of some of its keys. Ignores keys under which it is not counted, so it is
   * idempotent.
   */
  takeBackAttempt(id: string, keys: readonly string[]): Promise<void>;
}
