import type { Inline } from '../base/runtime/runtime.ts';

/** Options of a call that can become part of your transaction. */
export type TransactionOptions<Client = never> = {
  /** A connection with your open transaction. The call becomes part of this transaction. */
  readonly client?: Client | undefined;
};

/** Options of each call about a key. */
export type KeyedOptions<Client = never> = TransactionOptions<Client> & {
  /**
   * Text to keep with the key: well-formed Unicode without NUL, at most 4 MiB in UTF-8. A claim with data is open: never
   * forgotten before it is completed, or released with a `retention`.
   */
  readonly data?: string | undefined;
};

/** Options of a claim. */
export type ClaimOptions<Client = never> = KeyedOptions<Client> & {
  /**
   * The token of a granted claim, of 1 to 512 characters. With it, you can release a claim whose answer was lost. A second
   * claim with the token of the present claim is granted as the same attempt. Default: a random one.
   */
  readonly token?: string | undefined;
  /**
   * Whether to take over a claim whose lease is running, for work that may run twice. The former holder can then neither renew nor release
   * nor complete it. Default: false.
   */
  readonly takeOver?: boolean | undefined;
};

/** Options of a release. */
export type ReleaseOptions<Client = never> = KeyedOptions<Client> & {
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
  /**
   * Names the server that granted a claim with data, and its history: another text means that it may have forgotten what it confirmed, as after
   * a failover or a restored backup. `undefined` if the store cannot tell.
   */
  readonly server?: string | undefined;
}>;

/** Another process has claimed the key. */
type InProgress = Inline<{
  /** Another claim's lease is running. */
  readonly status: 'in_progress';
  /** The time until its lease expires, in ms. */
  readonly retryAfter: number;
  /** The data kept with the key; `undefined` if there is none. */
  readonly data: string | undefined;
}>;

/** The key was completed, and its retention is still running. */
type Completed = Inline<{
  /** The key was completed. */
  readonly status: 'completed';
  /** The data kept with the key; `undefined` if there is none. */
  readonly data: string | undefined;
}>;

/** The result of a claim. */
export type ClaimResult = Claimed | InProgress | Completed;

/** What is kept of a key. */
export type KeptKey = Inline<{
  /** Whether the key was completed, and its retention is still running. */
  readonly completed: boolean;
  /** The data kept with the key; `undefined` if there is none. */
  readonly data: string | undefined;
}>;

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
  /** When the key was first claimed, in whole ms on the store's clock. */
  readonly since: number;
  /** The time since then, in ms. */
  readonly age: number;
}>;

/** Open claims, the oldest first. */
export type OpenPage = Inline<{
  /** The claims of this page, by `since` and then by the code points of `key`. */
  readonly claims: readonly OpenClaim[];
  /** How many claims the query selects, on all pages; `undefined` unless it `counts` them. */
  readonly count: number | undefined;
}>;

/** Selects a page of the open claims of a space, or the open claim of a key. */
export type OpenQuery =
  | {
      /** The part of their keys before the first `/`. A key without `/` is a space of its own. */
      readonly space: string;
      /** Selects only claims after this one, the last of the previous page. */
      readonly after?: Pick<OpenClaim, 'since' | 'key'> | undefined;
      /** The size of the page, an integer from 1 to 1000. */
      readonly limit: number;
      /**
       * Whether to count the claims of all pages too, which takes a database longer the more there are. A page alone takes as long
       * whatever their number. Default: false.
       */
      readonly counts?: boolean | undefined;
    }
  | {
      /** The key. The page has its claim, or none. */
      readonly key: string;
    };

/** Selects a page of all keys with data of a space. */
export type ScanQuery = {
  /** The part of their keys before the first `/`. A key without `/` is a space of its own. */
  readonly space: string;
  /** The `next` of the previous page. Default: the first page. */
  readonly after?: string | undefined;
  /** The size of the page, an integer from 1 to 1000. Redis takes it as a hint, and `memoryStore` has one page. */
  readonly limit: number;
};

/** Some keys with data, open or not, in no order. It may have none even if more follow. */
export type ScanPage = Inline<{
  /** The keys of this page. */
  readonly found: readonly Inline<{
    /** The key. */
    readonly key: string;
    /** The data kept with the key. */
    readonly data: string;
  }>[];
  /** Pass it as `after` for the next page; `undefined` after the last one. */
  readonly next: string | undefined;
}>;

/** The data of a version of a key. */
export type KeptSnapshot = Inline<{
  /** The version, a safe integer. */
  readonly version: number;
  /** The data of that version. */
  readonly data: string;
}>;

/** What became of a snapshot. */
export type AdvancedSnapshot = Inline<{
  /** Whether it was stored: the key had none of the same or a higher version. */
  readonly advanced: boolean;
  /** What the key has now: the one that was passed, or a newer one. */
  readonly current: KeptSnapshot;
  /** What the key had before: the one that was replaced, or `current` if nothing was stored; `undefined` if it had none. */
  readonly previous: KeptSnapshot | undefined;
}>;

/** The present version of a document. */
export type KeptDocument = Inline<{
  /** How often it was saved, an integer from 1. */
  readonly version: number;
  /** Its data. */
  readonly data: string;
}>;

/** How a document is found without its key. */
export type DocumentIndex = {
  /**
   * References that lead to the document from now on, such as the id of a payment: at most 100, each with 1 to 512 characters of well-formed
   * Unicode without NUL. One that led to it before still does. Default: none.
   */
  readonly references?: readonly string[] | undefined;
  /** When `due` lists the document, in whole ms on the caller's clock; null if never. */
  readonly wakeAt: number | null;
};

/** A document that waits for its time. */
export type DueDocument = Inline<{
  /** The key. */
  readonly key: string;
  /** When it became due, in ms on the clock of the caller that saved it. */
  readonly wakeAt: number;
}>;

/** Selects a page of due documents. */
export type DueQuery = {
  /** The part of their keys before the first `/`. A key without `/` is a space of its own. */
  readonly space: string;
  /** Selects documents whose `wakeAt` is not later, in ms on the caller's clock. */
  readonly until: number;
  /** Selects only documents after this one, the last of the previous page. */
  readonly after?: DueDocument | undefined;
  /** The size of the page, an integer from 1 to 1000. */
  readonly limit: number;
};

/** The documents of a store within a transaction. */
export interface TransactionDocuments {
  /** Returns a document, which no other transaction can change until this one ends; `undefined` if it was never saved. */
  load(key: string): Promise<KeptDocument | undefined>;
  /** Saves a document as {@link Store.save} does, once the transaction commits. */
  save(key: string, version: number, data: string, index: DocumentIndex): Promise<boolean>;
}

/** The documents of a store within a transaction that must not wait for anything. */
export interface SyncTransactionDocuments {
  /** Returns a document; `undefined` if it was never saved. */
  load(key: string): KeptDocument | undefined;
  /** Saves a document as {@link Store.save} does, once the transaction commits. */
  save(key: string, version: number, data: string, index: DocumentIndex): boolean;
}

/** One limit that an attempt is checked against. */
export type VelocityEntry = Inline<{
  /** The rule's name and keyed hashes, in printable ASCII of at most 200 characters; it does not reveal the card. */
  readonly key: string;
  /**
   * How much the attempt adds: 1 if the rule counts attempts, ten-thousandths if it sums amounts. 0 ends the attempt that the
   * `token` names: a later one with its id is counted anew.
   */
  readonly amount: bigint;
  /** Whether an attempt that ends leaves what it has added. Default: that is taken back. */
  readonly keeps?: boolean | undefined;
  /**
   * A name that no other check has, in printable ASCII without blanks, of at most 200 characters. With the amount 0, that of the
   * check that counted the attempt: another one ends nothing.
   */
  readonly token: string;
  /** The most that may be counted within the window, including this attempt. */
  readonly limit: bigint;
  /** The length of the window, in ms; an integer from 1. */
  readonly windowMs: number;
  /** Whether an attempt above this limit is not counted under any key. */
  readonly blocks: boolean;
}>;

/** The total of a key. */
export type VelocityTotal = Inline<{
  /** The count within the window, including this attempt. */
  readonly total: bigint;
  /** Whether the total exceeds the limit. */
  readonly exceeded: boolean;
  /** When the oldest part of it leaves the window, in ms on the store's clock. */
  readonly freeAt: number;
  /** The token of the check that counted the attempt under the key: of an earlier one, if this one repeats it. */
  readonly token: string;
}>;

/** Options of {@link Store.record}. */
export type RecordOptions<Client> = {
  /** A connection with your open transaction, which the record becomes part of. */
  readonly client: Client;
  /**
   * How long the transaction may be idle, in ms, at most 2 147 483 647. Then the database ends it together with the
   * connection. Default: the setting of the connection.
   */
  readonly lease?: number | undefined;
};

/**
 * The state that processes share: claims, snapshots, documents and counted attempts. If you need a part of it, write
 * `Pick<Store, 'advance'>`.
 *
 * **Claims** let one process at a time act on a key, and record which keys were completed. A process claims a key under a
 * lease, then completes or releases it. When the lease expires, for example after a crash, the key can be claimed again.
 *
 * **Snapshots** keep the latest data of a key when writes arrive in any order, as webhook deliveries do. A snapshot never
 * expires, and nothing deletes it: use a bounded number of keys, or keys that you can keep forever.
 *
 * **Documents** are changed by compare-and-set, found by references, and become due at a time. Like a snapshot, a document never expires.
 *
 * **Counted attempts** are what processes that share a store share limits of. The stores of this package count in buckets,
 * each a 60th of the window. An attempt counts for the whole window, and for up to one bucket longer. So the cost of a
 * check does not depend on the number of attempts of a key.
 *
 * Keys of claims, snapshots and documents have 1 to 512 characters of well-formed Unicode without NUL. The three are independent.
 *
 * @typeParam Client A connection with an open transaction; `never` where the store has no transactions.
 */
export interface Store<Client = never> {
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
  renew(key: string, token: string, lease: number, options?: KeyedOptions<Client>): Promise<boolean>;
  /**
   * Marks the key as handled. Idempotent with the same token.
   *
   * @param retention How long the key is remembered at least, in ms. After that, it counts as a new key.
   * @param options `data` replaces the data of the key; an empty text drops it.
   * @returns Whether you still held the claim. If not, nothing was recorded.
   */
  complete(key: string, token: string, retention: number, options?: KeyedOptions<Client>): Promise<boolean>;
  /**
   * Ends the lease immediately, so that the key can be claimed again.
   *
   * @param options `data` replaces the data of the key; a key that had none is open from then on. With `retention`, the key
   *   is not open, and the store may forget it later. If the key is claimed before that, the claim gets the kept data, and is
   *   remembered like any other.
   * @returns Whether you still held the claim. If not, nothing changed.
   */
  release(key: string, token: string, options?: ReleaseOptions<Client>): Promise<boolean>;
  /** Returns what is kept of a key, and changes nothing; `undefined` if the key was never claimed, or is forgotten. */
  find(key: string, options?: TransactionOptions<Client>): Promise<KeptKey | undefined>;
  /** Lists the keys with data that were neither completed nor released with a `retention`, the oldest first. */
  open(query: OpenQuery): Promise<OpenPage>;
  /**
   * Lists all keys with data, open or not. A key that has data during the whole scan is on one page at least, and one that is forgotten
   * on none.
   */
  scan(query: ScanQuery): Promise<ScanPage>;
  /**
   * Replaces the data of a key atomically if it is still `data`. Whether the key is claimed does not matter, and nothing else of it changes.
   *
   * @returns Whether the key had this data. If not, nothing changed.
   */
  replace(key: string, data: string, replacement: string): Promise<boolean>;
  /**
   * Stores a snapshot atomically unless the key has one of the same or a higher version: with any number of concurrent
   * writers, the highest version wins, and each version is stored at most once, over the one that it returns as the previous.
   *
   * @param version A safe integer; may be negative.
   * @param data Well-formed Unicode without NUL, at most 4 MiB in UTF-8.
   * @returns Whether it was stored, and the snapshots after and before.
   */
  advance(
    key: string,
    version: number,
    data: string,
    options?: TransactionOptions<Client>,
  ): Promise<AdvancedSnapshot>;
  /** Returns the present version of a document; `undefined` if it was never saved. */
  load(key: string): Promise<KeptDocument | undefined>;
  /**
   * Saves a document with its references and its time atomically, if its version is still the one that was loaded: of any number of
   * concurrent writers, one succeeds.
   *
   * @param version The version that `load` returned; 0 for a new document.
   * @param data Well-formed Unicode without NUL, at most 4 MiB in UTF-8.
   * @returns Whether it was saved, with the next version. If not, nothing changed.
   * @throws PaymentsError `STORE_REFERENCE_TAKEN` if a reference leads to another document; nothing changed.
   */
  save(key: string, version: number, data: string, index: DocumentIndex): Promise<boolean>;
  /** Returns the key of the document that a reference leads to; `undefined` if it leads to none. */
  lookUp(reference: string): Promise<string | undefined>;
  /** Lists the documents of a space whose time has come, by `wakeAt` and then by the code points of `key`. */
  due(query: DueQuery): Promise<readonly DueDocument[]>;
  /**
   * Checks an attempt against all its limits and counts it atomically: each concurrent attempt sees those before it. An
   * attempt that exceeds a blocking limit is not counted at all. Uses the store's own clock.
   *
   * An attempt has one amount under each key, so an attempt whose id is already counted there is not counted again until it has
   * ended. An entry with the amount 0 ends it there. Ignores keys under which it is not counted.
   *
   * @param id The attempt, as a keyed hash.
   * @param entries Their keys must all differ.
   * @returns The totals, in the order of the entries.
   */
  check(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]>;
  /**
   * Claims and completes a key in one statement within your transaction. If another transaction has the same key open, waits
   * until it ends, at most 2 s. Your transaction continues either way. Only a store with transactions has it.
   *
   * @param retention How long the key is remembered at least, in ms. After that, it counts as a new key.
   * @returns `claimed` if the key was free: it is completed, without data, once your transaction commits. Otherwise
   *   `completed`, or `in_progress` if the key has a lease or another transaction still has it open. Then nothing was recorded.
   */
  record?(key: string, retention: number, options: RecordOptions<Client>): Promise<ClaimResult>;
}
