import type {
  AdvanceCall,
  Backend,
  ClaimCall,
  CompleteCall,
  PageQuery,
  ReleaseCall,
} from '../checked-store.ts';
import type { ClaimResult, KeptSnapshot, OpenPage, VelocityEntry, VelocityTotal } from '../store.ts';
import {
  type ClaimRecord,
  claimed,
  completed,
  isOpen,
  listed,
  type OpenRecord,
  released,
  renewed,
} from './claim.ts';
import { checkAttempt, type VelocityRecords } from './velocity-count.ts';

/** What a store of one machine keeps. */
export interface LocalTables {
  /** Runs work that no other process interrupts, at the present time. */
  alone<Result>(work: (now: number) => Result): Result;
  /** Returns the present time, in ms. */
  now(): number;
  find(key: string): ClaimRecord | undefined;
  /** Stores the record of a key. May delete others that have no effect any more. */
  put(record: ClaimRecord, now: number): void;
  /** Returns a page of open records, the oldest first, and how many the space has. */
  open(query: PageQuery): {
    readonly rows: readonly OpenRecord[];
    readonly count: number;
  };
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

  async claim(call: ClaimCall): Promise<ClaimResult> {
    return this.#tables.alone((now) => {
      const { answer, record } = claimed(this.#tables.find(call.key), call, now);
      if (record !== undefined) this.#tables.put(record, now);
      return answer;
    });
  }

  async renew(call: ClaimCall): Promise<boolean> {
    return this.#change(call, renewed);
  }

  async complete(call: CompleteCall): Promise<boolean> {
    return this.#change(call, completed);
  }

  async release(call: ReleaseCall): Promise<boolean> {
    return this.#change(call, released);
  }

  async list(query: PageQuery): Promise<OpenPage> {
    const now = this.#tables.now();
    const { rows, count } = this.#tables.open(query);
    return { claims: rows.map((record) => listed(record, now)), count };
  }

  async find(key: string): Promise<OpenPage> {
    const now = this.#tables.now();
    const record = this.#tables.find(key);
    const claims = record !== undefined && isOpen(record) ? [listed(record, now)] : [];
    return { claims, count: claims.length };
  }

  async advance({ key, version, data }: AdvanceCall): Promise<KeptSnapshot> {
    return this.#tables.alone(() => {
      const known = this.#tables.findSnapshot(key);
      if (known !== undefined && known.version >= version) return known;
      const snapshot = { version, data };
      this.#tables.putSnapshot(key, snapshot);
      return snapshot;
    });
  }

  async check(id: string, entries: readonly VelocityEntry[]): Promise<readonly VelocityTotal[]> {
    return this.#tables.alone((now) => checkAttempt(this.#tables.attempts(now), id, entries));
  }

  /** Stores the new record of a key, if there is one. Returns whether there is. */
  #change<Call extends { readonly key: string }>(
    call: Call,
    changed: (known: ClaimRecord | undefined, call: Call, now: number) => ClaimRecord | undefined,
  ): boolean {
    return this.#tables.alone((now) => {
      const record = changed(this.#tables.find(call.key), call, now);
      if (record !== undefined) this.#tables.put(record, now);
      return record !== undefined;
    });
  }
}
