import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClaimResult, sqliteStore } from 'payments-client/stores';
import type { ClaimStore } from '../../support/stores.ts';
import { lostWrite, storeFaults } from '../dimensions/stores.ts';
import type { Actor } from './actor.ts';
import { epoch } from './time.ts';

/** The record of a key; without data if there is none. */
export interface Written {
  readonly data: string | undefined;
  readonly isCompleted: boolean;
}

type Options = Parameters<ClaimStore['claim']>[2];

/** A store whose contents the promises can read synchronously. */
export class SeenStore implements ClaimStore {
  readonly #store: ClaimStore;
  readonly #written = new Map<string, Written>();
  readonly #onWrite: (key: string, written: Written) => void;

  constructor(store: ClaimStore, onWrite: (key: string, written: Written) => void) {
    this.#store = store;
    this.#onWrite = onWrite;
  }

  async claim(key: string, lease: number, options?: Options): Promise<ClaimResult> {
    const result = await this.#store.claim(key, lease, options);
    if (result.status === 'claimed') this.#write(key, { data: result.data, isCompleted: false });
    return result;
  }

  async renew(key: string, token: string, lease: number, options?: Options): Promise<boolean> {
    const isOurs = await this.#store.renew(key, token, lease, options);
    if (isOurs) this.#write(key, { data: options?.data, isCompleted: false });
    return isOurs;
  }

  async complete(key: string, token: string, retention: number, options?: Options): Promise<boolean> {
    const isOurs = await this.#store.complete(key, token, retention, options);
    if (isOurs) this.#write(key, { data: options?.data, isCompleted: true });
    return isOurs;
  }

  async release(key: string, token: string, options?: Options): Promise<boolean> {
    const isOurs = await this.#store.release(key, token, options);
    if (isOurs) this.#write(key, { data: options?.data, isCompleted: false });
    return isOurs;
  }

  open(query: Parameters<ClaimStore['open']>[0]): ReturnType<ClaimStore['open']> {
    return this.#store.open(query);
  }

  /** The spaces of all keys so far. */
  get spaces(): string[] {
    return [...new Set([...this.#written.keys()].map((key) => key.split('/', 1).join()))];
  }

  #write(key: string, { data = this.#written.get(key)?.data, isCompleted }: Written): void {
    const written = { data, isCompleted };
    this.#written.set(key, written);
    this.#onWrite(key, written);
  }
}

type Method = keyof ClaimStore;

/** Returns a store whose operations all go through one function. */
function throughOneFunction(
  run: <T>(method: Method, call: (to: ClaimStore) => Promise<T>, unwritten?: T) => Promise<T>,
): ClaimStore {
  return {
    claim: (key, lease, options) => run('claim', (to) => to.claim(key, lease, options)),
    renew: (key, token, lease, options) => run('renew', (to) => to.renew(key, token, lease, options), true),
    complete: (key, token, time, options) =>
      run('complete', (to) => to.complete(key, token, time, options), true),
    release: (key, token, options) => run('release', (to) => to.release(key, token, options), true),
    open: (query) => run('open', (to) => to.open(query)),
  };
}

/** How a process reaches the store. */
export interface Reaching {
  readonly actor: () => Actor;
  readonly store: () => ClaimStore;
  /** Whether the store may acknowledge a write and lose it. */
  readonly losesWrites: () => boolean;
}

/**
 * Returns the store as one process reaches it: over a connection that breaks before a transaction, or between its commit and its
 * response.
 */
export function storeOf({ actor, store, losesWrites }: Reaching): ClaimStore {
  return throughOneFunction(async (method, question, unwritten) => {
    await actor().step(method);
    const isLossy = losesWrites() && unwritten !== undefined;
    const fault = actor().faultAt(method, isLossy ? [...storeFaults, lostWrite] : storeFaults)?.fault;
    if (fault === 'fails') throw new Error('the store is down');
    const answer = fault === lostWrite && unwritten !== undefined ? unwritten : await question(store());
    await actor().step(`${method} is answered`);
    if (fault === 'is not answered') throw new Error('the connection to the store broke');
    return answer;
  });
}

/** A key that a transaction holds: completed by the commit, which fails if the database has ended the transaction. */
interface HeldKey {
  complete(): Promise<boolean>;
  release(): Promise<unknown>;
}

/** An open transaction of a merchant's process. */
export class Transaction {
  readonly #held: HeldKey[] = [];
  readonly #effects: (() => void)[] = [];

  hold(key: HeldKey): void {
    this.#held.push(key);
  }

  /** Adds an effect of the commit. */
  add(effect: () => void): void {
    this.#effects.push(effect);
  }

  async commit(): Promise<void> {
    for (const key of this.#held)
      if (!(await key.complete())) throw new Error('the database ended the transaction');
    for (const effect of this.#effects) effect();
  }

  async rollBack(): Promise<void> {
    for (const key of this.#held) await key.release();
  }
}

/** How long a database keeps what a transaction of a dead process holds, in ms. */
const idleTime = 61_000;

/** Returns a store with transactions, made of one without: a statement holds its key until the transaction ends. */
export function withTransactions(through: ClaimStore, store: () => ClaimStore) {
  return {
    ...through,
    async record(
      key: string,
      retention: number,
      { client }: { readonly client: Transaction },
    ): Promise<ClaimResult> {
      const claim = await through.claim(key, idleTime);
      if (claim.status !== 'claimed') return claim;
      client.hold({
        complete: () => store().complete(key, claim.token, retention),
        release: () => store().release(key, claim.token),
      });
      return claim;
    },
    async complete(
      key: string,
      token: string,
      retention: number,
      options?: Omit<NonNullable<Options>, 'client'> & { readonly client?: Transaction },
    ) {
      const { client, ...others } = options ?? {};
      if (client === undefined) return through.complete(key, token, retention, others);
      // The statement locks the row, so nobody takes the claim over until the commit.
      const isOurs = await through.renew(key, token, idleTime);
      const complete = () => store().complete(key, token, retention, others);
      if (isOurs) client.hold({ complete, release: async () => {} });
      return isOurs;
    },
  };
}

/** A file system in memory, if there is one: a disk takes twenty times as long, and the tests need no durability. */
const folders = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Opens a SQLite store in its own file, with the episode's time.
 *
 * @param now How long the episode has run, in ms.
 * @param machineNow The clock of the machine, in ms since the start.
 */
export function openFileStore(
  now: () => number,
  machineNow: () => number,
): { readonly store: ClaimStore; close(): void } {
  const folder = mkdtempSync(join(folders, 'engine-'));
  const file = sqliteStore(join(folder, 'store.db'));
  const store = throughOneFunction((_, question) => {
    // It is synchronous, and reads the clocks of the machine and of the process.
    const [realDate, realPerformance] = [Date.now, performance.now];
    Date.now = () => epoch + machineNow();
    performance.now = now;
    try {
      return question(file);
    } finally {
      Date.now = realDate;
      performance.now = realPerformance;
    }
  });
  const close = () => {
    file.close();
    rmSync(folder, { recursive: true });
  };
  return { store, close };
}
