import { inTime } from '../stores/in-time.ts';
import type { PostgresClient } from '../stores/postgres-client.ts';
import type { Claimed, ClaimResult, ClaimStore, OpenClaim, OpenQuery } from '../stores/store.ts';
import { decodeRecord, encodeEnd, encodeRecord, type OperationRecord } from './record.ts';

/** How long the store may take to answer, in ms. */
const patience = 5_000;

/** How much longer than its work a lease lasts, in ms: for what the store takes before and after it. */
export const leaseMargin = 3 * patience;

/** A claim that a store granted. */
interface Granted {
  readonly claim: Claimed;
  readonly record: OperationRecord | undefined;
  readonly client?: PostgresClient | undefined;
}

/** A claimed operation: nobody else sends it as long as the lease runs. */
export class Hold {
  /** Its record in the store; `undefined` where the data of the key is not a record. */
  readonly record: OperationRecord | undefined;
  /** How many times it was claimed, this time included. */
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

  /** Begins the lease anew. Returns whether it is still held. */
  renew(lease: number, record: OperationRecord): Promise<boolean> {
    const { store } = this.#settings;
    return inTime(store.renew(this.#key, this.#token, lease, this.#options(record)), patience);
  }

  /** Writes the end down, and returns whether it was still held. Without a record there is nothing to remember. */
  complete(record?: OperationRecord): Promise<boolean> {
    const { store, retention } = this.#settings;
    if (record === undefined) return inTime(store.complete(this.#key, this.#token, 1), patience);
    const options = { data: encodeEnd(record), client: this.#client };
    return inTime(store.complete(this.#key, this.#token, retention, options), patience);
  }

  /** Lets others claim it, and returns whether it was still held. A refusal is an end, so the store may forget it. */
  release(record: OperationRecord): Promise<boolean> {
    const { store, retention } = this.#settings;
    const options = { ...this.#options(record), ...(record.state === 'refused' && { retention }) };
    return inTime(store.release(this.#key, this.#token, options), patience);
  }

  #options(record: OperationRecord) {
    return { data: encodeRecord(record), client: this.#client };
  }
}

/** What a claim comes to: the operation is held, or another process sends it, or its end is known. */
export type Claim =
  | { readonly status: 'claimed'; readonly hold: Hold }
  | {
      readonly status: 'in_progress';
      readonly retryAfter: number;
      readonly record: OperationRecord | undefined;
    }
  | { readonly status: 'completed'; readonly record: OperationRecord | undefined };

/** Where operations are kept, and how long their ends are. */
export interface StoreSettings {
  readonly store: ClaimStore<PostgresClient>;
  /** In ms. */
  readonly retention: number;
}

/** How an operation is claimed. */
export interface Claiming {
  /** In ms. */
  readonly lease: number;
  /** What is written down of a new one. */
  readonly fresh?: OperationRecord;
  readonly client?: PostgresClient | undefined;
}

/** A store as a journal uses it: with records in place of texts, and with bounded patience. */
export class OperationStore {
  readonly #settings: StoreSettings;

  constructor(settings: StoreSettings) {
    this.#settings = settings;
  }

  /** Claims an operation. Gives back a claim that the store grants too late. */
  async claim(key: string, { lease, fresh, client }: Claiming): Promise<Claim> {
    const data = fresh && encodeRecord(fresh);
    const asked = this.#settings.store.claim(key, lease, { data, client });
    // A claim in the caller's transaction ends with it.
    const undo = client === undefined ? (late: ClaimResult) => this.#giveBack(key, late) : undefined;
    const answer = await inTime(asked, patience, undo);
    // Of a new operation the store gives back what it was given.
    const record = answer.data === data ? fresh : decodeRecord(answer.data);
    if (answer.status !== 'claimed') return { ...answer, record };
    return { status: 'claimed', hold: new Hold(this.#settings, key, { claim: answer, record, client }) };
  }

  /** Lists operations that have no end. */
  open(query: OpenQuery): Promise<readonly OpenClaim[]> {
    return inTime(this.#settings.store.open(query), patience);
  }

  async #giveBack(key: string, claim: ClaimResult): Promise<void> {
    if (claim.status !== 'claimed') return;
    const hold = new Hold(this.#settings, key, { claim, record: decodeRecord(claim.data) });
    if (hold.record === undefined) await hold.complete();
    // A new one was never sent.
    else await hold.release(hold.attempt === 1 ? { ...hold.record, state: 'refused' } : hold.record);
  }
}
