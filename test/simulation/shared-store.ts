import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClaimResult, sqliteStore } from 'payments-client/stores';
import type { ClaimStore } from '../support/stores.ts';
import type { Actor } from './actor.ts';
import { epoch } from './clock.ts';

/** The record of a key. */
export interface Written {
  readonly data: string | undefined;
  readonly isCompleted: boolean;
}

type Options = Parameters<ClaimStore['claim']>[2];

/** A store whose contents the invariants can read synchronously. */
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

/** Returns a store whose operations all go through one function. */
function throughOneFunction(
  run: <T>(operation: string, call: (to: ClaimStore) => Promise<T>) => Promise<T>,
): ClaimStore {
  return {
    claim: (key, lease, options) => run('claim', (to) => to.claim(key, lease, options)),
    renew: (key, token, lease, options) => run('renew', (to) => to.renew(key, token, lease, options)),
    complete: (key, token, time, options) => run('complete', (to) => to.complete(key, token, time, options)),
    release: (key, token, options) => run('release', (to) => to.release(key, token, options)),
    open: (query) => run('open', (to) => to.open(query)),
  };
}

/**
 * Returns the store as one process reaches it: over a connection that breaks before a transaction, or between its commit and its
 * response.
 */
export function storeOf(actor: () => Actor, store: () => ClaimStore): ClaimStore {
  return throughOneFunction(async (what, question) => {
    const step = await actor().step(what);
    const fault = actor().faultOf(`${step}!`, ['fails', 'is not answered']);
    if (fault === 'fails') throw new Error('the store is down');
    const answer = await question(store());
    await actor().step(`${what} is answered`);
    if (fault === 'is not answered') throw new Error('the connection to the store broke');
    return answer;
  });
}

/** A file system in memory, if there is one: a disk takes twenty times as long, and the tests need no durability. */
const folders = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Opens a SQLite store in its own file, with the simulation's time.
 *
 * @param now How long the simulation has run, in ms.
 * @param machineTime The clock of the machine, in ms since the start.
 */
export function openFileStore(
  now: () => number,
  machineTime: () => number,
): { readonly store: ClaimStore; close(): void } {
  const folder = mkdtempSync(join(folders, 'simulation-'));
  const file = sqliteStore(join(folder, 'store.db'));
  const store = throughOneFunction((_, question) => {
    // It is synchronous, and reads the clocks of the machine and of the process.
    const [realDate, realPerformance] = [Date.now, performance.now];
    Date.now = () => epoch + machineTime();
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
