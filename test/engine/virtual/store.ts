import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClaimResult, sqliteStore } from 'payments-client/stores';
import type { ClaimStore } from '../../support/stores.ts';
import { lostWrite, storeFaults } from '../dimensions/stores.ts';
import { passing, throughOneFunction } from '../passing.ts';
import type { Actor } from './actor.ts';
import { epoch } from './time.ts';

/** The record of a key; without data if there is none. */
export interface Written {
  readonly data: string | undefined;
  readonly isCompleted: boolean;
}

type Options = Parameters<ClaimStore['claim']>[2];

/** A store that reports each write, and the spaces of all keys so far. */
export function seen(
  store: ClaimStore,
  onWrite: (key: string, written: Written) => void,
): { readonly store: ClaimStore; readonly spaces: ReadonlySet<string> } {
  const known = new Map<string, string | undefined>();
  const spaces = new Set<string>();
  const write = (key: string, data = known.get(key), isCompleted = false) => {
    known.set(key, data);
    spaces.add(key.split('/', 1).join());
    onWrite(key, { data, isCompleted });
  };
  const told = async (isOurs: Promise<boolean>, key: string, options: Options, isCompleted = false) => {
    const isWritten = await isOurs;
    if (isWritten) write(key, options?.data, isCompleted);
    return isWritten;
  };
  const telling = passing(store, {
    async claim(key, lease, options) {
      const result = await store.claim(key, lease, options);
      if (result.status === 'claimed') write(key, result.data);
      return result;
    },
    renew: (key, token, lease, options) => told(store.renew(key, token, lease, options), key, options),
    complete: (key, token, time, options) =>
      told(store.complete(key, token, time, options), key, options, true),
    release: (key, token, options) => told(store.release(key, token, options), key, options),
  });
  return { store: telling, spaces };
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
  return throughOneFunction(async ({ method, ask, lost }) => {
    await actor().step(method);
    const isLossy = losesWrites() && lost !== undefined;
    const fault = actor().faultAt(method, isLossy ? [...storeFaults, lostWrite] : storeFaults)?.fault;
    if (fault === 'fails') throw new Error('the store is down');
    const answer = fault === lostWrite && lost !== undefined ? lost : await ask(store());
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
  const store = throughOneFunction(({ ask }) => {
    // It is synchronous, and reads the clocks of the machine and of the process.
    const [realDate, realPerformance] = [Date.now, performance.now];
    Date.now = () => epoch + machineNow();
    performance.now = now;
    try {
      return ask(file);
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
