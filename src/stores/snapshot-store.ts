import type { TransactionOptions } from './transaction-options.ts';

/** The data of the highest version of a key. */
export type Snapshot = {
  /** The highest version so far, a safe integer. */
  readonly version: number;
  /** The data of that version. */
  readonly data: string;
};

/**
 * Keeps the latest data of a key when writes arrive in any order, as webhook deliveries do.
 *
 * A snapshot never expires, and nothing deletes it: use a bounded number of keys, or keys that you can keep forever.
 *
 * @typeParam Client A connection with an open transaction; `never` if the store has no transactions.
 */
export interface SnapshotStore<Client = never> {
  /**
   * Stores data atomically unless the key has data of the same or a higher version: with any number of concurrent
   * writers, the highest version wins. It is idempotent.
   *
   * @param key 1 to 512 characters of well-formed Unicode without NUL. Keys of snapshots and keys of claims are
   * independent.
   * @param version A safe integer; may be negative.
   * @param data Well-formed Unicode without NUL, at most 1 MiB in UTF-8.
   * @returns The highest version so far, and its data.
   */
  advance(
    key: string,
    version: number,
    data: string,
    options?: TransactionOptions<Client>,
  ): Promise<Snapshot>;
}
