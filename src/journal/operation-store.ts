import { inTime } from '../stores/in-time.ts';
import type { PostgresClient } from '../stores/postgres-client.ts';
import type { Claimed, ClaimResult, ClaimStore, OpenClaim, OpenQuery } from '../stores/store.ts';
import { decodeRecord, encodeEnd, encodeRecord, type OperationRecord } from './record.ts';

/** The store's timeout, in ms. */
const patience = 5_000;

/** How much longer a lease lasts than its work, in ms: the time that the store needs before and after it. */
export const leaseMargin = 3 * patience;

/** The shortest retention, in ms. */
const noRetention = 1;

/** A claim granted by a store. */
interface Granted {
  readonly claim: Claimed;
  readonly record: OperationRecord | undefined;
  readonly client?: PostgresClient | undefined;
}

/**
 * A claimed operation: no other process sends it while the lease runs. Its methods are `async`, so a store that throws
 * instead of rejecting cannot skip the caller's `catch`.
 */
export class Hold {
  /** Its record in the store; `undefined` if the data of the key is not a record. */
  readonly record: OperationRecord | undefined;
  /** The number of claims, including this one. */
  readonly attempt: number;
  readonly #settings: StoreSettings;
  readonly #key: string;
  readonly #token: string;
  readonly #client: PostgresClient | undefined;

  constructor(settings: StoreSettings, key: string, { claim, record, client }: Granted) {
    this.record = record;
    this.attempt = claim.attempt;
    this.#settings = settings;
    this.#key = key;
    this.#token = claim.token;
    this.#client = client;
  }

  /** Renews the lease. Returns whether the claim is still held. */
  async renew(lease: number, record: OperationRecord): Promise<boolean> {
    const { store } = this.#settings;
    return inTime(store.renew(this.#key, this.#token, lease, this.#options(record)), patience);
  }

  /** Records the outcome, and returns whether the claim was still held. Without a record there is nothing to remember. */
  async complete(record?: OperationRecord): Promise<boolean> {
    const { store, retention } = this.#settings;
    if (record === undefined) return inTime(store.complete(this.#key, this.#token, noRetention), patience);
    const options = { data: encodeEnd(record), client: this.#client };
    return inTime(store.complete(this.#key, this.#token, retention, options), patience);
  }

  /** Releases the claim, and returns whether it was still held. A rejection is final, so the store may forget it. */
  async release(record: OperationRecord): Promise<boolean> {
    const { store, retention } = this.#settings;
    const options = { ...this.#options(record), ...(record.state === 'refused' && { retention }) };
    return inTime(store.release(this.#key, this.#token, options), patience);
  }

  #options(record: OperationRecord) {
    return { data: encodeRecord(record), client: this.#client };
  }
}

/**
 * The result of a claim: the operation is held, another process sends it, its outcome is known, or there is `none`: `settle`
 * looked for it, and the store is about to forget that claim.
 */
export type Claim =
  | { readonly status: 'claimed'; readonly hold: Hold }
  | {
      readonly status: 'in_progress';
      readonly retryAfter: number;
      readonly record: OperationRecord | undefined;
    }
  | { readonly status: 'completed'; readonly record: OperationRecord | undefined }
  | { readonly status: 'none'; readonly retryAfter: number; readonly record: undefined };

/** The store of operations, and how long it keeps outcomes. */
export interface StoreSettings {
  readonly store: ClaimStore<PostgresClient>;
  /** In ms. */
  readonly retention: number;
}

/** How to claim an operation. */
export interface Claiming {
  /** In ms. */
  readonly lease: number;
  /** The record of a new operation. */
  readonly fresh?: OperationRecord;
  readonly client?: PostgresClient | undefined;
}

/** Adapts a store to the journal: with records instead of texts, and with timeouts. */
export class OperationStore {
  readonly #settings: StoreSettings;

  constructor(settings: StoreSettings) {
    this.#settings = settings;
  }

  /** Claims an operation. Releases a claim that the store grants too late. */
  async claim(key: string, { lease, fresh, client }: Claiming): Promise<Claim> {
    const data = fresh && encodeRecord(fresh);
    const asked = this.#settings.store.claim(key, lease, { data, client });
    // A claim in the caller's transaction ends with the transaction.
    const undo = client === undefined ? (late: ClaimResult) => this.#giveBack(key, late) : undefined;
    const answer = await inTime(asked, patience, undo);
    if (answer.status === 'completed' && answer.data === undefined) {
      return { status: 'none', retryAfter: noRetention, record: undefined };
    }
    // For a new operation the store returns the data it was given.
    const record = answer.data === data ? fresh : decodeRecord(answer.data);
    if (answer.status !== 'claimed') return { ...answer, record };
    return { status: 'claimed', hold: new Hold(this.#settings, key, { claim: answer, record, client }) };
  }

  /** Lists open operations. */
  async open(query: OpenQuery): Promise<readonly OpenClaim[]> {
    return inTime(this.#settings.store.open(query), patience);
  }

  async #giveBack(key: string, claim: ClaimResult): Promise<void> {
    if (claim.status !== 'claimed') return;
    const hold = new Hold(this.#settings, key, { claim, record: decodeRecord(claim.data) });
    if (hold.record === undefined) await hold.complete();
    // A new operation was never sent.
    else await hold.release(hold.attempt === 1 ? { ...hold.record, state: 'refused' } : hold.record);
  }
}
