import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { Work } from '../../base/work.ts';
import { type Backlog, backlogOf, openWorkIn } from '../../stores/backlog.ts';
import { inTime, isStoreTimeout, whenLate } from '../../stores/in-time.ts';
import type { PostgresClient } from '../../stores/postgres/client.ts';
import type {
  Claimed,
  ClaimOptions,
  ClaimResult,
  OpenClaim,
  OpenQuery,
  ScanPage,
  Store,
} from '../../stores/store.ts';
import { type KeySpace, type StoreKey, textOf } from '../account.ts';
import { asRefused, type OperationRecord } from '../record.ts';
import { noRow, type RecordFormat, type Row } from '../record-format.ts';

/** The store's timeout, in ms. */
export const patience = 5_000;

/** How much longer a lease lasts than its work, in ms: the time that the store needs before and after it. */
export const leaseMargin = 3 * patience;

/** How often to take a claim over from attempts that come between. */
export const maxTakeOvers = 5;

/** The shortest retention, in ms. */
const noRetention = 1;

/** A claim granted by a store. */
interface Granted {
  readonly claim: Pick<Claimed, 'token' | 'attempt' | 'server'>;
  readonly row: Row;
  readonly client?: PostgresClient | undefined;
}

/**
 * A claimed operation: no other process sends it while the lease runs. Its methods are `async`, so a store that throws
 * instead of rejecting cannot skip the caller's `catch`.
 */
export class Hold {
  /** The text of its key. */
  readonly key: string;
  readonly row: Row;
  /** The number of claims, including this one. */
  readonly attempt: number;
  /** The server that granted it; `undefined` if the store does not tell. */
  readonly server: string | undefined;
  readonly #settings: StoreSettings;
  readonly #token: string;
  readonly #client: PostgresClient | undefined;

  constructor(settings: StoreSettings, key: string, { claim, row, client }: Granted) {
    this.key = key;
    this.row = row;
    this.attempt = claim.attempt;
    this.server = claim.server;
    this.#settings = settings;
    this.#token = claim.token;
    this.#client = client;
  }

  /** Renews the lease. Returns whether the claim is still held. */
  async renew(lease: number, record: OperationRecord): Promise<boolean> {
    const { store, format } = this.#settings;
    const options = { data: format.encode(this.key, record), client: this.#client };
    return inTime(store.renew(this.key, this.#token, lease, options), patience);
  }

  /** Records the outcome, and returns whether the claim was still held. Without a record there is nothing to remember. */
  async complete(record?: OperationRecord): Promise<boolean> {
    const { store, retention, format } = this.#settings;
    const options = { data: record && format.encodeEnd(this.key, record), client: this.#client };
    const time = record === undefined ? noRetention : retention;
    return inTime(store.complete(this.key, this.#token, time, options), patience);
  }

  /** Records an end: a result is remembered, and after a rejection the operation may be sent anew. Returns whether the claim was still held. */
  async end(record: OperationRecord): Promise<boolean> {
    return record.state === 'done' ? this.complete(record) : this.release(record);
  }

  /** Releases the claim, and returns whether it was still held. A rejection is final, so the store may forget it. */
  async release(record: OperationRecord): Promise<boolean> {
    return this.#release(record.state, this.#settings.format.encode(this.key, record));
  }

  /** Releases the claim, and leaves its row as it is. Returns whether it was still held. */
  async giveBack(): Promise<boolean> {
    if (this.row === noRow) return this.complete();
    return this.#release(this.row.record?.state);
  }

  #release(state: OperationRecord['state'] | undefined, data?: string): Promise<boolean> {
    const { store, retention } = this.#settings;
    const options = { data, client: this.#client, ...(state === 'refused' && { retention }) };
    return inTime(store.release(this.key, this.#token, options), patience);
  }
}

/**
 * The result of a claim: the operation is held, another process sends it, its outcome is known, or there is `none`: `settle`
 * or `knows` looked for it, and the store is about to forget that claim.
 */
export type Claim = { readonly row: Row } & (
  | { readonly status: 'claimed'; readonly hold: Hold }
  | { readonly status: 'in_progress' | 'none'; readonly retryAfter: number }
  | { readonly status: 'completed' }
);

/** The part of a store that a journal needs. `scan` and `replace` are for `reencrypt` alone. */
export type JournalStore = Pick<
  Store<PostgresClient>,
  'claim' | 'renew' | 'complete' | 'release' | 'find' | 'open'
> &
  Partial<Pick<Store<PostgresClient>, 'scan' | 'replace'>>;

/** How many records are read per page to encrypt them anew. */
const scannedPage = 100;

function withoutScan(): ConfigurationError {
  const issue = {
    path: 'createJournal.store',
    expected: 'a store with scan and replace',
    received: 'another',
  };
  return configurationError([issue], 'Use a store of payments-client/stores.');
}

/** The store of operations, how it writes records, and how long it keeps outcomes. */
export interface StoreSettings {
  readonly store: JournalStore;
  readonly format: RecordFormat;
  /** In ms. */
  readonly retention: number;
}

/** How to claim an operation. */
interface Claiming {
  /** In ms. */
  readonly lease: number;
  /** The record of a new operation. */
  readonly fresh?: OperationRecord;
  /** Whether to take over a claim that another attempt holds. Default: false. */
  readonly takeOver?: boolean;
  readonly client?: PostgresClient | undefined;
}

/** Ends a claim in the store. Returns whether the claim was held. */
type End = () => Promise<boolean>;

/** The greatest number of keys that are remembered. Beyond it the oldest is left to its lease. */
const maxKeys = 10_000;

/**
 * Claims with which nothing was sent, and which the store has not ended. Without them, an operation would look as if it had been
 * sent until its lease expires, and a sale even after that.
 */
class UnendedClaims {
  readonly #ends = new Map<string, Set<End>>();

  /** Ends a claim. Never rejects: if that fails, `end` does it later. */
  async add(key: string, end: End): Promise<void> {
    const ends = this.#ends.get(key) ?? new Set();
    this.#ends.set(key, ends.add(end));
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > maxKeys && oldest !== undefined) this.#ends.delete(oldest);
    // One that the store does not hold may be granted yet.
    if (await end().catch(() => false)) this.#forget(key, end);
  }

  /** Tries once more to end all claims. Never rejects. */
  async endAll(): Promise<void> {
    const ends = [...this.#ends].flatMap(([key, all]) => [...all].map((end) => this.add(key, end)));
    await Promise.all(ends);
  }

  /** Ends the claims of a key. Throws what the store throws. */
  async end(key: string): Promise<void> {
    for (const end of this.#ends.get(key) ?? []) {
      await end();
      this.#forget(key, end);
    }
  }

  #forget(key: string, end: End): void {
    const ends = this.#ends.get(key);
    ends?.delete(end);
    if (ends?.size === 0) this.#ends.delete(key);
  }
}

/** Adapts a store to the journal: with records instead of texts, and with timeouts. */
export class OperationStore {
  readonly #settings: StoreSettings;
  /** Claims of this process that it could not end. */
  readonly #unended = new UnendedClaims();
  /** Writes that no call waits for. */
  readonly #late = new Work<Promise<unknown>>();

  constructor(settings: StoreSettings) {
    this.#settings = settings;
  }

  /** Claims an operation. If the answer is lost, ends the claim as never sent. Throws what the store throws. */
  async claim(storeKey: StoreKey, { lease, fresh, takeOver = false, client }: Claiming): Promise<Claim> {
    const key = textOf(storeKey);
    await this.#unended.end(key);
    const data = fresh && this.#settings.format.encode(key, fresh);
    const token = fresh?.claim ?? crypto.randomUUID();
    const answer = await this.#ask(key, lease, { data, client, token, takeOver });
    // For a new operation the store returns the data it was given.
    const isNew = data !== undefined && answer.data === data;
    const row = isNew ? { record: fresh, damage: undefined } : await this.#decode(key, answer.data);
    if (answer.status === 'claimed') {
      return { status: 'claimed', row, hold: new Hold(this.#settings, key, { claim: answer, row, client }) };
    }
    if (answer.status === 'in_progress') return { ...answer, row };
    return answer.data === undefined ? { status: 'none', retryAfter: noRetention, row } : { ...answer, row };
  }

  /**
   * Records the end of an operation, also if another attempt has taken its claim over. Returns whether it has ended: so, or by a success
   * before.
   */
  async endSurely(key: StoreKey, hold: Hold, record: OperationRecord): Promise<boolean> {
    if (await hold.end(record)) return true;
    // One more attempt may come between the claim and the end.
    for (let tries = 0; tries < maxTakeOvers; tries += 1) {
      const claim = await this.claim(key, { lease: leaseMargin, takeOver: true });
      if (claim.status !== 'claimed') return claim.status === 'completed';
      if (await claim.hold.end(record)) return true;
    }
    return false;
  }

  /** Ends a claim. Never rejects: if that fails, the next claim of its key does it. */
  endLater(hold: Hold, record: OperationRecord): Promise<void> {
    return this.#unended.add(hold.key, () => hold.end(record));
  }

  /** Lets a write go on that no call waits for. */
  later(write: Promise<unknown>): void {
    this.#late.begin(write);
    write.catch(() => undefined).finally(() => this.#late.end(write));
  }

  /** Waits for the writes that no call waits for, and tries once more to end the claims that the store has not ended. Never rejects. */
  async idle(): Promise<void> {
    await this.#late.done();
    await this.#unended.endAll();
  }

  /** Returns the row of a key, open or closed. Throws what the store throws. */
  async rowOf(key: StoreKey, client?: PostgresClient): Promise<Row> {
    const text = textOf(key);
    await this.#unended.end(text);
    const kept = await inTime(this.#settings.store.find(text, { client }), patience);
    return this.#decode(text, kept?.data);
  }

  /** Whether the store has a row for a key, as `rowOf` finds it. */
  async knows(key: StoreKey, client?: PostgresClient): Promise<boolean> {
    return (await this.rowOf(key, client)) !== noRow;
  }

  /** Returns a page of open operations, or that of a key. */
  async open(query: OpenQuery): Promise<readonly (OpenClaim & { readonly row: Row })[]> {
    const { claims } = await inTime(this.#settings.store.open(query), patience);
    const decoded = async (claim: OpenClaim) => ({
      ...claim,
      row: await this.#decode(claim.key, claim.data),
    });
    return Promise.all(claims.map(decoded));
  }

  /** Counts the open operations of some spaces, and looks whether the store takes writes. */
  backlog([first, ...others]: readonly [KeySpace, ...KeySpace[]]): Promise<Backlog> {
    const names = others.map(({ name }) => name);
    return inTime(backlogOf(this.#settings.store, [first.name, ...names]), patience);
  }

  /** Counts the open operations of some spaces. */
  async count(spaces: readonly KeySpace[]): Promise<number> {
    const names = spaces.map(({ name }) => name);
    return (await inTime(openWorkIn(this.#settings.store, names), patience)).count;
  }

  /** Returns the row of one key, if it is open. */
  async openRow(key: string): Promise<Row> {
    return this.#decode(key, (await this.openClaim(key))?.data);
  }

  /** Returns the open claim of a key. */
  async openClaim(key: string): Promise<OpenClaim | undefined> {
    return (await inTime(this.#settings.store.open({ key }), patience)).claims[0];
  }

  /** Iterates over the keys of a space that have a text, open or not. A key may come twice. Throws what the store throws. */
  async *texts(space: string): AsyncGenerator<ScanPage['found'][number]> {
    const { store } = this.#settings;
    if (store.scan === undefined) throw withoutScan();
    let after: string | undefined;
    do {
      const page = await inTime(store.scan({ space, after, limit: scannedPage }), patience);
      yield* page.found;
      after = page.next;
    } while (after !== undefined);
  }

  /** Returns the text of a key. Throws what the store throws. */
  async textAt(key: string): Promise<string | undefined> {
    return (await inTime(this.#settings.store.find(key), patience))?.data;
  }

  /** Replaces the text of a key if it is still this one, claimed or not. Returns whether it was. */
  async replace(key: string, text: string, replacement: string): Promise<boolean> {
    const { store } = this.#settings;
    if (store.replace === undefined) throw withoutScan();
    return inTime(store.replace(key, text, replacement), patience);
  }

  #decode(key: string, data: string | undefined): Promise<Row> {
    return this.#settings.format.decode(key, data);
  }

  async #ask(key: string, lease: number, options: ClaimOptions<PostgresClient>): Promise<ClaimResult> {
    // A claim in the caller's transaction ends with the transaction.
    const isOwn = options.client === undefined;
    try {
      return await inTime(this.#settings.store.claim(key, lease, options), patience);
    } catch (error) {
      if (isOwn) whenLate(error, (granted) => this.#giveBack(key, granted));
      const withdrawn = isOwn ? this.#unended.add(key, () => this.#withdraw(key, options)) : undefined;
      if (withdrawn !== undefined) this.later(withdrawn);
      // A store that hangs would hang again.
      if (!isStoreTimeout(error)) await withdrawn;
      throw error;
    }
  }

  /** Ends a claim whose answer was lost, before anything was sent. Returns whether the store had granted it. */
  async #withdraw(key: string, { token = '' }: ClaimOptions<PostgresClient>): Promise<boolean> {
    const row = await this.openRow(key);
    const hold = new Hold(this.#settings, key, { claim: { token, attempt: 1 }, row });
    const { record, damage } = row;
    // The token proves that this claim created the row, also if it was encrypted anew since. The row of an earlier claim stays as it is.
    const isOwn = damage === undefined && record?.claim === token;
    return isOwn ? hold.release(asRefused(record)) : hold.giveBack();
  }

  async #giveBack(key: string, claim: Claimed): Promise<void> {
    const row = await this.#decode(key, claim.data);
    const hold = new Hold(this.#settings, key, { claim, row });
    // A new operation was never sent.
    if (hold.attempt === 1 && row.record !== undefined) await hold.release(asRefused(row.record));
    else await hold.giveBack();
  }
}
