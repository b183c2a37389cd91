import type { Backend, PageQuery } from '../checked-store.ts';
import type {
  AdvancedSnapshot,
  ClaimOptions,
  ClaimResult,
  DueDocument,
  DueQuery,
  KeptDocument,
  KeptKey,
  KeptSnapshot,
  KeyedOptions,
  OpenPage,
  ReleaseOptions,
  ScanPage,
  ScanQuery,
  VelocityEntry,
  VelocityTotal,
} from '../store.ts';
import {
  type ClaimRecord,
  claimed,
  completed,
  isOpen,
  kept,
  listed,
  type OpenRecord,
  released,
  renewed,
  replaced,
} from './claim.ts';
import { type DocumentSave, type DocumentTables, saveDocument } from './document.ts';
import { checkAttempt, type VelocityRecords } from './velocity-count.ts';

/** What a store of one machine keeps. */
export interface LocalTables {
  readonly documents: DocumentTables;
  /** Keeps other processes out, and returns the present time in ms. One that throws has begun nothing. */
  begin(): number;
  commit(): void;
  /** Ends what was begun. Memory changes nothing that it would have to undo. */
  rollBack(): void;
  /** Returns the present time, in ms. */
  now(): number;
  find(key: string): ClaimRecord | undefined;
  /** Stores the record of a key. May delete others that have no effect any more. */
  put(record: ClaimRecord, now: number): void;
  /** Returns a page of open records, the oldest first. */
  open(query: PageQuery): readonly OpenRecord[];
  /** Returns how many open records a space has. */
  countOpen(space: string): number;
  /** Returns a page of records with data, which may be forgotten, and where the next one begins. */
  scan(query: ScanQuery): { readonly rows: readonly ClaimRecord[]; readonly next: string | undefined };
  findSnapshot(key: string): KeptSnapshot | undefined;
  putSnapshot(key: string, snapshot: KeptSnapshot): void;
  /** Returns the counted attempts. May delete those that have no effect any more. */
  attempts(now: number): VelocityRecords;
}

/** The backend of a store of one machine, in tables of its own. */
export class LocalBackend implements Backend {
  readonly #tables: LocalTables;

  constructor(tables: LocalTables) {
    this.#tables = tables;
  }

  async claim(
    key: string,
    token: string,
    lease: number,
    { data, takeOver = false }: ClaimOptions = {},
  ): Promise<ClaimResult> {
    return this.#alone((now) => {
      const call = { key, token, lease, data, takeOver };
      const { answer, record } = claimed(this.#tables.find(key), now, call);
      if (record !== undefined) this.#tables.put(record, now);
      return answer;
    });
  }

  async renew(key: string, token: string, lease: number, { data }: KeyedOptions = {}): Promise<boolean> {
    return this.#change(key, (known, now) => renewed(known, now, token, lease, data));
  }

  async complete(
    key: string,
    token: string,
    retention: number,
    { data }: KeyedOptions = {},
  ): Promise<boolean> {
    return this.#change(key, (known, now) => completed(known, now, token, retention, data));
  }

  async release(key: string, token: string, options: ReleaseOptions = {}): Promise<boolean> {
    return this.#change(key, (known, now) => released(known, now, token, options));
  }

  async list(query: PageQuery): Promise<OpenPage> {
    const now = this.#tables.now();
    const claims = this.#tables.open(query).map((record) => listed(record, now));
    return { claims, count: query.counts ? this.#tables.countOpen(query.space) : undefined };
  }

  async find(key: string): Promise<KeptKey | undefined> {
    const now = this.#tables.now();
    return kept(this.#tables.find(key), now);
  }

  async scan(query: ScanQuery): Promise<ScanPage> {
    const now = this.#tables.now();
    const { rows, next } = this.#tables.scan(query);
    const found = rows.flatMap((record) => {
      const data = kept(record, now)?.data;
      return data === undefined ? [] : [{ key: record.key, data }];
    });
    return { found, next };
  }

  async replace(key: string, data: string, replacement: string): Promise<boolean> {
    return this.#change(key, (known, now) => replaced(known, now, data, replacement));
  }

  async findOpen(key: string): Promise<OpenPage> {
    const now = this.#tables.now();
    const record = this.#tables.find(key);
    return { claims: record !== undefined && isOpen(record) ? [listed(record, now)] : [], count: undefined };
  }

  async advance(key: string, version: number, data: string): Promise<AdvancedSnapshot> {
    return this.#alone(() => {
      const previous = this.#tables.findSnapshot(key);
      if (previous !== undefined && previous.version >= version) {
        return { advanced: false, current: previous, previous };
      }
      const current = { version, data };
      this.#tables.putSnapshot(key, current);
      return { advanced: true, current, previous };
    });
  }

  async load(key: string): Promise<KeptDocument | undefined> {
    return this.#tables.documents.load(key);
  }

  async save(document: DocumentSave): Promise<boolean> {
    return this.#alone(() => saveDocument(this.#tables.documents, document));
  }

  async lookUp(reference: string): Promise<string | undefined> {
    return this.#tables.documents.lookUp(reference);
  }

  async due(query: DueQuery): Promise<readonly DueDocument[]> {
    return this.#tables.documents.due(query);
  }

  async check(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    return this.#alone((now) => checkAttempt(this.#tables.attempts(now), id, entries));
  }

  /** Stores the new record of a key, if there is one. Returns whether there is. */
  #change(
    key: string,
    changed: (known: ClaimRecord | undefined, now: number) => ClaimRecord | undefined,
  ): boolean {
    return this.#alone((now) => {
      const record = changed(this.#tables.find(key), now);
      if (record !== undefined) this.#tables.put(record, now);
      return record !== undefined;
    });
  }

  /** Runs work that no other process interrupts, at the present time. */
  #alone<Result>(work: (now: number) => Result): Result {
    const now = this.#tables.begin();
    try {
      const result = work(now);
      this.#tables.commit();
      return result;
    } catch (error) {
      this.#tables.rollBack();
      throw error;
    }
  }
}
