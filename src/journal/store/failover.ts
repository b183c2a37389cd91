/** Notices that the server of the store is another one, or was restored: then nobody knows what it has forgotten. */

import { type ConfigurationError, configurationError, PaymentsError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import * as s from '../../base/schema/schema.ts';
import { conforms } from '../../base/schema/validation.ts';
import { inTime } from '../../stores/in-time.ts';
import { type JournalStore, patience } from './operation-store.ts';

/** What the store keeps of its own server. */
interface KeptServer {
  /** Its name, as claims have it. */
  readonly server: string;
  /** When it was noticed that it had changed, in ms since 1970; `undefined` if that is acknowledged. */
  readonly noticedAt?: number | undefined;
}

const keptSchema = /* @__PURE__ */ s.lazily(() =>
  s.object({ server: s.string(), noticedAt: s.optional(s.number()) }),
);

function keptIn(text: string | undefined): KeptServer | undefined {
  if (text === undefined) return undefined;
  const kept = parseJson(text);
  // One that cannot be read is that of no server.
  return conforms<KeptServer>(keptSchema, kept) ? kept : { server: '' };
}

const textOf = (kept: KeptServer) => JSON.stringify(kept);

function problemSince(noticedAt: number): string {
  const since = new Date(noticedAt).toISOString();
  return `expected the server that kept the journal before, got another or a restored one, noticed at ${since}. It may have forgotten calls`;
}

const advice =
  'Compare the sales since its backup or failover with the merchant control panel, then call payments.journal.acknowledgeFailover().';

function forgetful(noticedAt: number): PaymentsError {
  const message = `createJournal.afterFailover: ${problemSince(noticedAt)}, so no call without a key is sent. ${advice}`;
  return new PaymentsError(message, { code: 'STORE_FAILED_OVER' });
}

function silent(): ConfigurationError {
  const expected = 'a store that tells which server it is: postgresStore, or redisStore that may run INFO';
  const issue = { path: 'createJournal.store', expected, received: 'one that does not' };
  return configurationError([issue], "Use such a store, or leave out afterFailover: 'refuse'.");
}

/** What a failover means for a call that the service does not know by a key. */
export type AfterFailover = 'warn' | 'refuse';

interface Settings {
  readonly store: JournalStore;
  /** The key under which the server is kept. Each account has one, since each is acknowledged by itself. */
  readonly key: string;
  readonly afterFailover: AfterFailover;
  readonly now: () => number;
}

/** Compares the server that grants a claim with the one that granted earlier ones, also of other processes. */
export class FailoverWatch {
  readonly #settings: Settings;
  /** The server that this process compared last. */
  #seen: string | undefined;
  /** When it was noticed that it had changed, as far as this process knows. */
  #noticedAt: number | undefined;
  /** Whether the store has what this process has noticed. */
  #isKept = true;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Looks at the server that granted a claim.
   *
   * @param keyed Whether the service knows the call by a key, so that it does not act twice.
   * @param warn Writes the line of a failover.
   * @throws PaymentsError `STORE_FAILED_OVER` if the call must not be sent; also what the store throws, if the call depends on it.
   * @throws ConfigurationError if the store does not tell which server it is.
   */
  async check(server: string | undefined, keyed: boolean, warn: (message: string) => void): Promise<void> {
    if (keyed || this.#settings.afterFailover === 'warn') {
      if (server === undefined || server === this.#seen) return;
      // What cannot be noticed now is noticed by the next call.
      return this.#compare(server, warn).catch(() => undefined);
    }
    if (server === undefined) throw silent();
    // Not from memory: another process may have noticed a failover and the way back, or a person has acknowledged it.
    await this.#compare(server, warn);
    if (this.#noticedAt !== undefined) throw forgetful(this.#noticedAt);
  }

  /** Whether a failover was noticed that nobody has acknowledged. Throws what the store throws. */
  async isForgetful(): Promise<boolean> {
    const kept = await this.#read();
    if (this.#isKept) this.#noticedAt = kept?.noticedAt;
    return (kept?.noticedAt ?? this.#noticedAt) !== undefined;
  }

  /**
   * Accepts the present server, whatever it has forgotten.
   *
   * @throws ConfigurationError if the store does not tell which server it is. Also throws what the store throws.
   */
  async acknowledge(): Promise<void> {
    const { store, key } = this.#settings;
    const options = { data: textOf({ server: '' }), takeOver: true };
    const claim = await inTime(store.claim(key, patience, options), patience);
    if (claim.status !== 'claimed') throw silent();
    const { server, token, attempt } = claim;
    if (server === undefined) {
      await inTime(attempt === 1 ? store.complete(key, token, 1) : store.release(key, token), patience);
      throw silent();
    }
    await inTime(store.release(key, token, { data: textOf({ server }) }), patience);
  }

  async #compare(server: string, warn: (message: string) => void): Promise<void> {
    const known = await this.#read();
    const isKnown = known?.server === server;
    const { noticedAt, isKept } = isKnown ? { ...known, isKept: true } : await this.#keep(server);
    if (noticedAt !== undefined && this.#noticedAt === undefined)
      warn(`journal: ${problemSince(noticedAt)}. ${advice}`);
    this.#noticedAt = noticedAt;
    this.#isKept = isKept;
    // Until the store has it, the next call compares again.
    if (isKept) this.#seen = server;
  }

  async #read(): Promise<KeptServer | undefined> {
    const { store, key } = this.#settings;
    return keptIn((await inTime(store.find(key), patience))?.data);
  }

  /** Keeps a server that the store does not have. Returns what is known of it: without a claim, that it has changed. */
  async #keep(server: string): Promise<KeptServer & { readonly isKept: boolean }> {
    const { store, key, now } = this.#settings;
    // A server that has lost the row of the one before is not the first.
    const first: KeptServer = { server: this.#seen ?? server };
    const claim = await inTime(store.claim(key, patience, { data: textOf(first) }), patience);
    const kept = keptIn(claim.data) ?? first;
    const isSame = kept.server === server;
    const present = isSame ? kept : { server, noticedAt: kept.noticedAt ?? now() };
    if (claim.status !== 'claimed') return { ...present, isKept: isSame };
    const data = isSame ? undefined : textOf(present);
    const release = inTime(store.release(key, claim.token, { data }), patience);
    return { ...present, isKept: await release.catch(() => false) };
  }
}
