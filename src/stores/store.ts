import type { Inline } from '../base/inline.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import type { TransactionOptions } from './transaction-options.ts';
import type { VelocityStore } from './velocity-store.ts';

/** Options of each call about a key. */
export type KeyOptions<Client = never> = TransactionOptions<Client> & {
  /**
   * Text to keep with the key: well-formed Unicode without NUL, at most 1 MiB in UTF-8. A claim with data is never
   * forgotten before it is completed, or released with a `retention`.
   */
  readonly data?: string | undefined;
};

/** Options of a claim. */
export type ClaimOptions<Client = never> = KeyOptions<Client> & {
  /**
   * The token of a granted claim, of 1 to 512 characters. With it, you can release a claim whose answer was lost. A second
   * claim with the token of the present claim is granted as the same attempt. Default: a random one.
   */
  readonly token?: string | undefined;
};

/** Options of a release. */
export type ReleaseOptions<Client = never> = KeyOptions<Client> & {
  /**
   * How long the key is remembered at least, in ms. After that the store may forget it, unless it was claimed again. Until
   * it is claimed again, `open` does not list it. Default: a key with data is remembered until it is completed.
   */
  readonly retention?: number | undefined;
};

/** The claim is granted until its lease expires. */
export type Claimed = Inline<{
  /** The claim was granted. */
  readonly status: 'claimed';
  /** Proves ownership of the claim. Each claim of a key needs a different token. */
  readonly token: string;
  /** The number of claims of the key, including this one. */
  readonly attempt: number;
  /** The data kept with the key; `undefined` if there is none. */
  readonly data: string | undefined;
}>;

/** Another process has claimed the key. */
export type InProgress = Inline<{
  /** Another claim's lease is running. */
  readonly status: 'in_progress';
  /** The time until its lease expires, in ms. */
  readonly retryAfter: number;
  /** The data kept with the key; `undefined` if there is none. */
  readonly data: string | undefined;
}>;

/** The key was completed, and its retention is still running. */
export type Completed = Inline<{
  /** The key was completed. */
  readonly status: 'completed';
  /** The data kept with the key; `undefined` if there is none. */
  readonly data: string | undefined;
}>;

/** The result of a claim. */
export type ClaimResult = Claimed | InProgress | Completed;

/** A key with data that was neither completed nor released with a `retention`. */
export type OpenClaim = Inline<{
  /** The key. */
  readonly key: string;
  /** The data kept with the key. */
  readonly data: string;
  /** The number of claims of the key. */
  readonly attempt: number;
  /** The remaining lease in ms; 0 if none is running. */
  readonly leased: number;
  /** The time since the key was first claimed, in ms. */
  readonly age: number;
}>;

/** Selects a page of open claims. */
export type OpenQuery = {
  /** Selects only keys with this prefix; the empty string selects all. */
  readonly prefix: string;
  /** Selects only keys after this one: the last key of the previous page. */
  readonly after?: string | undefined;
  /** The size of the page, an integer from 1 to 1000. */
  readonly limit: number;
};

/**
 * Lets one process at a time act on a key, and records which keys were completed.
 *
 * A process claims a key under a lease, then completes or releases it. When the lease expires, for example after a
 * crash, the key can be claimed again. Keys have 1 to 512 characters of well-formed Unicode without NUL.
 *
 * @typeParam Client A connection with an open transaction; `never` where the store has no transactions.
 */
export interface ClaimStore<Client = never> {
  /**
   * Claims a key atomically: of any number of concurrent callers, one gets it.
   *
   * @param lease How long the lease lasts, in ms.
   * @param options `data` is kept with a new key. A known key keeps its own data and returns it. `token` is the token of the
   *   claim if it is granted.
   */
  claim(key: string, lease: number, options?: ClaimOptions<Client>): Promise<ClaimResult>;
  /**
   * Renews the lease.
   *
   * @param lease How long the lease lasts from now, in ms.
   * @param options `data` replaces the data of the key.
   * @returns Whether you still held the claim. If not, nothing changed.
   */
  renew(key: string, token: string, lease: number, options?: KeyOptions<Client>): Promise<boolean>;
  /**
   * Marks the key as handled. Idempotent with the same token.
   *
   * @param retention How long the key is remembered at least, in ms. After that, it counts as a new key.
   * @param options `data` replaces the data of the key.
   * @returns Whether you still held the claim. If not, nothing was recorded.
   */
  complete(key: string, token: string, retention: number, options?: KeyOptions<Client>): Promise<boolean>;
  /**
   * Ends the lease immediately, so that the key can be claimed again.
   *
   * @param options `data` replaces the data of the key. With `retention`, the store may forget the key later. If the key is
   *   claimed before that, the claim gets the kept data, and is remembered like any other.
   * @returns Whether you still held the claim. If not, nothing changed.
   */
  release(key: string, token: string, options?: ReleaseOptions<Client>): Promise<boolean>;
  /** Lists the keys with data that were neither completed nor released with a `retention`, ordered by code point. */
  open(query: OpenQuery): Promise<readonly OpenClaim[]>;
}

/** Options of {@link TransactionClaims.record}. */
export type RecordOptions<Client> = {
  /** A connection with your open transaction, which the record becomes part of. */
  readonly client: Client;
  /**
   * How long the transaction may be idle, in ms, at most 2 147 483 647. Then the database ends it together with the
   * connection. Default: the setting of the connection.
   */
  readonly lease?: number | undefined;
};

/** Grants and completes claims within one transaction. */
export interface TransactionClaims<Client> {
  /**
   * Claims and completes a key in one statement within your transaction. If another transaction has the same key open, waits
   * until it ends, at most 2 s. Your transaction continues either way.
   *
   * @param retention How long the key is remembered at least, in ms. After that, it counts as a new key.
   * @returns `claimed` if the key was free: it is completed, without data, once your transaction commits. Otherwise
   *   `completed`, or `in_progress` if the key has a lease or another transaction still has it open. Then nothing was recorded.
   */
  record(key: string, retention: number, options: RecordOptions<Client>): Promise<ClaimResult>;
}

/** All state that processes share: claims, counted attempts, and snapshots. */
export interface Store<Client = never> extends ClaimStore<Client>, VelocityStore, SnapshotStore<Client> {}
