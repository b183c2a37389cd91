import type { TransactionOptions } from './transaction-options.ts';

/** The data of the highest version of a key. */
export interface Snapshot {
  /** The highest version so far, a safe integer. */
  readonly version: number;
  /** The data of that version. */
  readonly data: string;
}

/**
 * Keeps the latest data of a key where writers come in any order, as webhook deliveries do.
 *
 * A snapshot never expires, and nothing deletes it: use keys of which there is a bounded number, or of which you can keep all.
 *
 * @typeParam Client A connection with an open transaction; `never` where the store has no transactions.
 */
export interface SnapshotStore<Client = never> {
  /**
   * Keeps data unless the key has data of the same or a higher version, atomically: of any number of concurrent writers, in any order, the highest
   * version stays. It can be called again.
   *
   * @param key 1 to 512 characters of well-formed Unicode without NUL. Keys of snapshots and keys of claims are independent.
   * @param version A safe integer, also a negative one.
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
