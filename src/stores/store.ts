import type { SnapshotStore } from './snapshot-store.ts';
import type { TransactionOptions } from './transaction-options.ts';
import type { VelocityStore } from './velocity-store.ts';

/** Options of each operation on a claim. */
export interface ClaimOptions<Client = never> extends TransactionOptions<Client> {
  /**
   * Text to keep with the key: well-formed Unicode without NUL, at most 1 MiB in UTF-8. A claim with data is never forgotten before it
   * is completed, or released with a `retention`.
   */
  readonly data?: string | undefined;
}

/** Options of a release. */
export interface ReleaseOptions<Client = never> extends ClaimOptions<Client> {
  /**
   * How long the key is remembered at least, in ms. Then the store may forget it, unless it was claimed again. Until that claim `open` does not
   * list it. Default: a key with data is remembered until it is completed.
   */
  readonly retention?: number | undefined;
}

/** The claim is yours until its lease runs out. */
export interface Claimed {
  /** The claim was granted. */
  readonly status: 'claimed';
  /** Proves that the claim is yours. Each claim of a key has another token. */
  readonly token: string;
  /** How many times the key was claimed, this time included. */
  readonly attempt: number;
  /** The data kept with the key, `undefined` where there is none. */
  readonly data: string | undefined;
}

/** Another process holds the key. */
export interface InProgress {
  /** The lease of another claim runs. */
  readonly status: 'in_progress';
  /** The time until its lease runs out, in ms. */
  readonly retryAfter: number;
  /** The data kept with the key, `undefined` where there is none. */
  readonly data: string | undefined;
}

/** The key was completed, and its retention is not over. */
export interface Completed {
  /** The key was completed. */
  readonly status: 'completed';
  /** The data kept with the key, `undefined` where there is none. */
  readonly data: string | undefined;
}

/** The answer of a store to a claim. */
export type ClaimResult = Claimed | InProgress | Completed;

/** A key with data that was neither completed nor released with a `retention`. */
export interface OpenClaim {
  /** The key. */
  readonly key: string;
  /** The data kept with the key. */
  readonly data: string;
  /** How many times the key was claimed; 0 where it was kept and not claimed yet. */
  readonly attempt: number;
  /** The rest of a running lease in ms; 0 where none runs. */
  readonly leased: number;
  /** The time since the key was first claimed or kept, in ms. */
  readonly age: number;
}

/** A key that `take` claimed. */
export interface TakenClaim extends Claimed {
  /** The key. */
  readonly key: string;
  /** The data kept with the key. */
  readonly data: string;
}

/** Selects what `take` claims. */
export interface TakeQuery {
  /** Only keys that begin with it; the empty string selects all. */
  readonly prefix: string;
  /** Only keys after this one: the last key that was taken before. */
  readonly after?: string | undefined;
  /** How many at most, an integer from 1 to 1000. */
  readonly limit: number;
  /** How long each is held, in ms. */
  readonly lease: number;
  /** Only keys that were claimed fewer times. */
  readonly maxAttempts: number;
}

/** Selects a page of open claims. */
export interface OpenQuery {
  /** Only keys that begin with it; the empty string selects all. */
  readonly prefix: string;
  /** Only keys after this one: the last key of the page before. */
  readonly after?: string | undefined;
  /** The size of the page, an integer from 1 to 1000. */
  readonly limit: number;
}

/**
 * Lets one process at a time act on a key, and remembers which keys were completed.
 *
 * A key is claimed for the time of its lease, then completed or released. When the lease runs out, as after a crash, the key can be
 * claimed again. Keys have 1 to 512 characters of well-formed Unicode without NUL.
 *
 * @typeParam Client A connection with an open transaction; `never` where the store has no transactions.
 */
export interface ClaimStore<Client = never> {
  /**
   * Claims a key, atomically: of any number of concurrent callers, one gets it.
   *
   * @param lease How long it is held, in ms.
   * @param options `data` is kept with a new key. A known key keeps its own data and returns it.
   */
  claim(key: string, lease: number, options?: ClaimOptions<Client>): Promise<ClaimResult>;
  /**
   * Begins the lease anew.
   *
   * @param lease How long it is held from now, in ms.
   * @param options `data` replaces the data of the key.
   * @returns Whether the claim was still yours. If not, nothing was changed.
   */
  renew(key: string, token: string, lease: number, options?: ClaimOptions<Client>): Promise<boolean>;
  /**
   * Records that the key was handled. It can be called again with the same token.
   *
   * @param retention How long the key is remembered at least, in ms. Afterwards it is new again.
   * @param options `data` replaces the data of the key.
   * @returns Whether the claim was still yours. If not, nothing was recorded.
   */
  complete(key: string, token: string, retention: number, options?: ClaimOptions<Client>): Promise<boolean>;
  /**
   * Ends the lease at once, so that the key can be claimed again.
   *
   * @param options `data` replaces the data of the key. With `retention` the store may forget the key later; a claim before that gets the kept
   *   data, and is remembered like any other.
   * @returns Whether the claim was still yours. If not, nothing was changed.
   */
  release(key: string, token: string, options?: ReleaseOptions<Client>): Promise<boolean>;
  /**
   * Lists the keys with data that were neither completed nor released with a `retention`, ordered by their code points.
   */
  open(query: OpenQuery): Promise<readonly OpenClaim[]>;
}

/** Keeps data for workers, who claim what is there. */
export interface InboxStore<Client = never> extends Pick<ClaimStore<Client>, 'open'> {
  /**
   * Keeps data for a key without claiming it, atomically. Afterwards `open` lists the key, unless it is completed.
   *
   * - A new key is kept with attempt 0. It can be claimed at once, and a claim returns the data.
   * - A known key without data gets the data. A running lease goes on.
   * - A known key with data keeps its own data.
   * - A key that was released with a `retention` is open again, with its own data where it has any.
   * - A completed key stays as it is.
   *
   * @param data Text to keep with the key: well-formed Unicode without NUL, at most 1 MiB in UTF-8.
   * @returns Whether this call opened the key: `false` where it was completed or open already. Where a client sends a call again after it lost the
   *   answer, the second answer is `false`.
   */
  keep(key: string, data: string, options?: TransactionOptions<Client>): Promise<boolean>;
  /**
   * Claims keys that `open` lists and nobody holds, atomically: no two of any number of workers get the same key. Those whose keys come first are
   * taken first.
   *
   * @returns The claims; empty where nothing is free.
   */
  take(query: TakeQuery): Promise<readonly TakenClaim[]>;
}

/** Options of {@link TransactionClaims.record}. */
export interface RecordOptions<Client> {
  /** A connection with your open transaction: the record becomes part of it. */
  readonly client: Client;
}

/** Claims that are granted and completed within one transaction. */
export interface TransactionClaims<Client> {
  /**
   * Claims a key and completes it at once, in one statement within your transaction. Where another transaction has the same key open, it waits
   * until that one ends.
   *
   * @param retention How long the key is remembered at least, in ms. Afterwards it is new again.
   * @returns `claimed` where the key was free: it is completed once your transaction commits, and data that was kept with it is replaced by the
   *   empty string. Else `completed` or `in_progress`, and nothing was recorded.
   */
  record(key: string, retention: number, options: RecordOptions<Client>): Promise<ClaimResult>;
}

/** Everything that processes share: claims, the inbox of the webhook receiver, counted attempts, and snapshots. */
export interface Store<Client = never>
  extends ClaimStore<Client>,
    InboxStore<Client>,
    VelocityStore,
    SnapshotStore<Client> {}
