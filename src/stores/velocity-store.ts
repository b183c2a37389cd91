/** One limit that an attempt is held against. */
export interface VelocityEntry {
  /** The rule's name and keyed hashes, in printable ASCII of at most 200 characters; it says nothing about the card. */
  readonly key: string;
  /** How much the attempt adds: 1 where the rule counts attempts, ten-thousandths where it sums amounts. */
  readonly amount: bigint;
  /** The most that may be counted within the window, this attempt included. */
  readonly limit: bigint;
  /** How far back the limit looks, in ms; an integer from 1. */
  readonly windowMs: number;
  /** Whether an attempt that exceeds this limit is counted nowhere. */
  readonly blocks: boolean;
}

/** What a key comes to. */
export interface VelocityTotal {
  /** What is counted within the window, with this attempt. */
  readonly total: bigint;
  /** Whether that is more than the limit. */
  readonly exceeded: boolean;
  /** When the oldest of it stops counting, in ms on the clock of the store. */
  readonly freeAt: number;
}

/**
 * Counts attempts for a velocity guard. Processes that share a store share their limits. Times are those of the store's own clock.
 *
 * The stores of this package count in buckets, each a 60th of the window. An attempt counts for the whole window, and for less than one
 * bucket longer. So what a check costs does not depend on how many attempts a key has.
 */
export interface VelocityStore {
  /**
   * Holds an attempt against all its limits and counts it, in one atomic step: of concurrent attempts each sees those before it. An attempt
   * that exceeds a limit that blocks is counted nowhere.
   *
   * An attempt whose id is still counted under a key is not counted there again.
   *
   * @param id The attempt, as a keyed hash.
   * @param entries Their keys all differ.
   * @returns The totals, in the order of the entries.
   */
  countAttempt(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]>;
  /** Stops counting an attempt under some of its keys. Keys under which it is not counted are ignored, so it can be called again. */
  takeBackAttempt(id: string, keys: readonly string[]): Promise<void>;
}
