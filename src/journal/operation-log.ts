import { sha256Hex } from '../base/bytes.ts';
import { ConfigurationError, PaymentsError } from '../base/errors.ts';
import { isRecord, parseJson, stringifyCanonical } from '../base/json.ts';
import type { WebAbortSignal } from '../base/runtime/runtime.ts';
import { bounded, Interrupted } from '../base/time.ts';
import type { CallJournal, JournaledOperation, Recording, Verdict } from '../http/call-journal.ts';
import { ApiError, PaymentDeclinedError } from '../http/failure/api-errors.ts';
import { isReplayed } from '../http/response.ts';
import { noHeaders, type ReceivedResponse } from '../http/transport/transport.ts';
import type { PostgresClient } from '../stores/postgres/client.ts';
import type { Cipher } from './cipher.ts';
import {
  type FirstEnd,
  journalFailed,
  type MissingResult,
  type OperationMismatchError,
  type OperationName,
  operationInProgress,
  operationMismatch,
  operationSettled,
  operationUnresolved,
  otherAccount,
} from './errors.ts';
import { differenceOf, identityOf, isSameIdentity } from './identity.ts';
import { type KeySpace, keySpacesOf, type StoreKey, textOf } from './key-space.ts';
import { type Claim, type Hold, leaseMargin, OperationStore, type StoreSettings } from './operation-store.ts';
import { asRefused, type OperationRecord } from './record.ts';

/** The checked options of a journal. */
export interface LogSettings extends StoreSettings {
  readonly account: string | undefined;
  readonly keyLifetime: number;
  readonly contents: 'whole' | 'digest';
  readonly cipher: Cipher;
  readonly now: () => number;
}

/** How far the clocks of two processes may differ, in ms. */
const clockTolerance = 600_000;

/** Two requests are equal if they send the same content to the same place. */
function digestOf({ method, path, query, content, uncompared = [] }: JournaledOperation): string {
  const compared = uncompared.length === 0 ? content : stringifyCanonical(without(uncompared, content));
  return sha256Hex(`${method} ${path}${query}\n${compared}`);
}

/** Returns the fields of a content, without some. */
function without(names: readonly string[], content: string): Readonly<Record<string, unknown>> {
  const fields = Object.entries(Object(parseJson(content)));
  return Object.fromEntries(fields.filter(([name]) => !names.includes(name)));
}

/** What a request sends to its path. */
type KeptParameters = Pick<JournaledOperation, 'query' | 'content'>;

/** Returns the names of the fields that differ. */
function differingFields(
  before: KeptParameters,
  { content, uncompared = [] }: JournaledOperation,
): readonly string[] {
  const [one, other] = [parseJson(before.content), parseJson(content)];
  if (!isRecord(one) || !isRecord(other)) return [];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names
    .filter((name) => !uncompared.includes(name) && JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    .sort();
}

/** Returns what the encryption of a record's texts is bound to. */
function contextOf(key: string, { origin, method, path }: Place): string {
  return JSON.stringify([key, origin, method, path]);
}

/** Where a request goes. */
type Place = Pick<OperationRecord, 'origin' | 'method' | 'path'>;

/**
 * Returns whether a failure proves that no request of the operation took effect. After an earlier request most
 * rejections prove nothing: the service may reject a request before it checks the key. A decline and a replay happen
 * after that check.
 */
function provesNothingMoved(error: unknown, wasSent: boolean): boolean {
  if (!(error instanceof PaymentsError) || error.outcome !== 'not_executed') return false;
  if (!wasSent || error instanceof PaymentDeclinedError) return true;
  return error instanceof ApiError && isReplayed(error.headers);
}

/** The caller sees a rejection. A planned operation may have no caller, so it stays open. */
function refusedState({ isPlanned }: OperationRecord): 'planned' | 'refused' {
  return isPlanned === true ? 'planned' : 'refused';
}

async function ask<T>(name: OperationName, question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    throw error instanceof ConfigurationError ? error : journalFailed(name, error);
  }
}

/** Returns why a closed operation has no result to return. */
function missing({ state, result }: OperationRecord): MissingResult {
  if (result !== undefined) return 'unreadable';
  if (state === 'settled') return 'settled';
  return state === 'done' ? 'too long' : 'unreadable';
}

/**
 * Returns whether a write failed: the claim was lost, or the store failed. Waits for it at most until the signal is aborted; the write
 * itself goes on.
 */
async function hasFailed(write: Promise<boolean>, signal: WebAbortSignal | undefined): Promise<boolean> {
  try {
    return !(await bounded(write, signal));
  } catch (error) {
    return !(error instanceof Interrupted);
  }
}

/** Returns a recorded response. */
export function responseOf(status: number, text: string): ReceivedResponse {
  const ok = status >= 200 && status < 300;
  const body = { text, bytes: text.length, complete: true, validUtf8: true };
  return { status, ok, headers: noHeaders(), ...body };
}

/** The status of a result that was given by hand. */
export const settledStatus = 200;

/** A call, and what it would record. */
interface Begun {
  readonly key: StoreKey;
  readonly fresh: OperationRecord;
  readonly operation: JournaledOperation;
}

/** An operation that may be sent. */
interface Sending {
  readonly hold: Hold;
  readonly record: OperationRecord;
  /** The record to release if nothing is sent. */
  readonly unsent: OperationRecord;
  /** Whether an earlier request may have taken effect. */
  readonly wasSent: boolean;
}

/** Records operations in a store: before they are sent, and when their outcome is known. */
export class OperationLog implements CallJournal {
  readonly settings: LogSettings;
  readonly store: OperationStore;
  /** Where it looks for operations. It records new ones in the first. */
  readonly spaces: readonly [KeySpace, ...KeySpace[]];

  /** @param spaces Default: those of the account. */
  constructor(
    settings: LogSettings,
    store = new OperationStore(settings),
    spaces = keySpacesOf(settings.account),
  ) {
    this.settings = settings;
    this.store = store;
    this.spaces = spaces;
  }

  /** Returns a log that looks in one space alone, so that a resumed record is the one that is sent. */
  within(space: KeySpace): OperationLog {
    return new OperationLog(this.settings, this.store, [space]);
  }

  /** Claims an operation, so that it is never sent twice concurrently, or returns its recorded result. */
  async begin(operation: JournaledOperation): Promise<Recording | ReceivedResponse> {
    const { signal } = operation;
    if (signal?.aborted) throw new Interrupted('aborted');
    const begun = this.#begin(operation);
    const next = await bounded(begun, signal).catch((error: unknown) => {
      // The store may still grant the claim.
      if (error instanceof Interrupted) begun.then((late) => this.#giveUp(late)).catch(() => undefined);
      throw error;
    });
    if (!('hold' in next)) return next;
    return {
      end: (response, verdict) => this.#end(next, signal, response, verdict),
      fail: async (error) => {
        const isOver = provesNothingMoved(error, next.wasSent);
        await this.#release(next, signal, isOver ? refusedState(next.record) : 'unknown');
      },
    };
  }

  /** Records an operation for later. An operation that is already recorded does not change. */
  async plan(operation: JournaledOperation, client: PostgresClient | undefined): Promise<void> {
    const key = await ask(operation, this.keyOf(operation.key, client));
    const fresh = { ...(await this.#recordOf(operation, key)), state: 'planned' as const, isPlanned: true };
    const claim = await ask(fresh, this.store.claim(key, { lease: leaseMargin, fresh, client }));
    const refusal = await this.#refusalOf(claim, { key, fresh, operation });
    if (claim.status === 'claimed') {
      const { record: known = fresh } = claim.row;
      const isAnew = refusal === undefined && known.state === 'refused';
      await ask(fresh, isAnew ? claim.hold.release(fresh) : claim.hold.giveBack());
    }
    if (refusal !== undefined) throw refusal;
    // `settle` holds the key of an operation that is not recorded.
    if ('retryAfter' in claim && claim.row.record === undefined) {
      throw operationInProgress(fresh, claim.retryAfter);
    }
  }

  /**
   * Returns the key of an operation in the store. One that was recorded before the journal had an account keeps its key. Throws
   * what the store throws.
   *
   * @param client The caller's transaction. Asked on another connection, a pool whose connections all wait for it would never answer.
   */
  async keyOf(key: string, client?: PostgresClient): Promise<StoreKey> {
    const [space, earlier] = this.spaces;
    const own = { space, key };
    if (earlier === undefined) return own;
    const plain = { space: earlier, key };
    const isAdopted = (await this.store.knows(plain, client)) && !(await this.store.knows(own, client));
    return isAdopted ? plain : own;
  }

  /** Claims an operation, or returns its recorded result. */
  async #begin(operation: JournaledOperation): Promise<Sending | ReceivedResponse> {
    const key = await ask(operation, this.keyOf(operation.key));
    const fresh = await this.#recordOf(operation, key);
    const lease = operation.timeLimit + leaseMargin;
    const claim = await ask(fresh, this.store.claim(key, { lease, fresh }));
    const refusal = await this.#refusalOf(claim, { key, fresh, operation });
    if (refusal !== undefined) {
      if (claim.status === 'claimed') await claim.hold.giveBack().catch(() => false);
      throw refusal;
    }
    const { record: known = fresh } = claim.row;
    if (claim.status === 'completed') return this.#recorded(textOf(key), known);
    if (claim.status !== 'claimed') throw operationInProgress(fresh, claim.retryAfter);
    const { hold } = claim;
    const isNew = hold.attempt === 1;
    const wasSent = !isNew && known.state !== 'refused' && known.state !== 'planned';
    const isElsewhere = !isSameIdentity(known, fresh);
    if (wasSent && (isElsewhere || this.#mustNotRepeat(known))) {
      await hold.release({ ...known, state: 'unknown' }).catch(() => false);
      throw operationUnresolved(known, isElsewhere ? 'sent elsewhere' : 'sent');
    }
    const { operationId, isPlanned } = known;
    const record = wasSent ? { ...known, state: 'running' as const } : { ...fresh, operationId, isPlanned };
    const unsent = isNew ? asRefused(fresh) : known;
    // Renewed before it is sent again: a crash after that must not look like the state before.
    const renewed = isNew || hold.renew(lease, record);
    const isHeld = await ask(record, Promise.resolve(renewed)).catch(async (error: unknown) => {
      await this.store.unended.add(hold.key, () => hold.release(unsent));
      throw error;
    });
    if (!isHeld) throw operationInProgress(record, lease);
    return { hold, record, unsent, wasSent };
  }

  /** Ends a claim with which nothing was sent. */
  #giveUp(begun: Sending | ReceivedResponse): void {
    if (!('hold' in begun)) return;
    void this.store.unended.add(begun.hold.key, () => begun.hold.release(begun.unsent));
  }

  async #release(
    { hold, record }: Sending,
    signal: WebAbortSignal | undefined,
    state: OperationRecord['state'],
  ): Promise<void> {
    const end = () => hold.release({ ...record, state });
    // A record of what was never sent must not look as if it had been.
    if (await hasFailed(end(), signal)) await this.store.unended.add(hold.key, end);
  }

  async #end(
    sending: Sending,
    signal: WebAbortSignal | undefined,
    response: ReceivedResponse,
    verdict: Verdict,
  ): Promise<boolean> {
    const { hold, record, wasSent } = sending;
    if (verdict === 'refused' || verdict === 'unknown') {
      await this.#release(
        sending,
        signal,
        wasSent || verdict === 'unknown' ? 'unknown' : refusedState(record),
      );
      return true;
    }
    // The result is known, so a failing store must not hide it.
    return !(await hasFailed(hold.complete(await this.#endOf(hold.key, record, response)), signal));
  }

  /** Returns the parameters of an operation; `undefined` if they were not kept. */
  async parametersOf(key: string, record: OperationRecord): Promise<KeptParameters | undefined> {
    const content = await this.#open(key, record, record.content);
    const query = record.query === undefined ? '' : await this.#open(key, record, record.query);
    return content === undefined || query === undefined ? undefined : { query, content };
  }

  /** Returns why a call must not use what the store has under its key; `undefined` if it may. */
  async #refusalOf({ row }: Claim, { key, fresh, operation }: Begun): Promise<PaymentsError | undefined> {
    if (row.isDamaged) return operationUnresolved({ ...fresh, lookUp: {} }, 'damaged');
    const { record: known } = row;
    if (known === undefined) return undefined;
    const difference = differenceOf(key.space, known, fresh);
    if (difference !== undefined) return otherAccount(fresh, difference);
    return known.digest === fresh.digest ? undefined : this.#mismatch(known, { key, fresh, operation });
  }

  async #mismatch(known: OperationRecord, { key, fresh, operation }: Begun): Promise<OperationMismatchError> {
    const text = textOf(key);
    const isElsewhere = known.method !== fresh.method || known.path !== fresh.path;
    const before = await this.parametersOf(text, known);
    const isAsked = before !== undefined && before.query !== operation.query;
    const differing = before === undefined ? [] : differingFields(before, operation);
    const names = differing.filter((name) => operation.fieldNames.includes(name));
    return operationMismatch(fresh, {
      names: [...(isElsewhere ? ['path'] : []), ...(isAsked ? ['query'] : []), ...names],
      unnamed: differing.length - names.length,
      first: await this.#firstEnd(text, known, operation),
    });
  }

  /** Returns how the first call ended, as far as it is known. */
  async #firstEnd(key: string, known: OperationRecord, { judge }: JournaledOperation): Promise<FirstEnd> {
    if (known.state === 'refused') return 'refused';
    if (known.state !== 'done') return 'open';
    const response = await this.#responseOf(key, known);
    // A decline is an end too, so a result that was too long to record tells nothing.
    if (response === undefined) return 'open';
    return judge(response) === 'declined' ? 'declined' : 'executed';
  }

  /** Returns the record of an operation that was closed manually as executed, with or without a result. */
  async settled(key: string, record: OperationRecord, text: string | undefined): Promise<OperationRecord> {
    const closed = { ...record, state: 'settled' as const };
    return text === undefined
      ? closed
      : { ...closed, status: settledStatus, result: await this.encrypt(key, record, text) };
  }

  async #endOf(key: string, record: OperationRecord, response: ReceivedResponse): Promise<OperationRecord> {
    const { status, text } = response;
    return { ...record, state: 'done', status, result: await this.encrypt(key, record, text) };
  }

  /**
   * Without a key, or with a key that the service may have forgotten, a second request could act twice. The age of an
   * operation that starts in the future is unknown: a clock was wrong, or still is.
   */
  #mustNotRepeat({ keyed, startedAt }: OperationRecord): boolean {
    const age = this.settings.now() - startedAt;
    return !keyed || age < -clockTolerance || age > this.settings.keyLifetime;
  }

  async #recordOf(journaled: JournaledOperation, storeKey: StoreKey): Promise<OperationRecord> {
    const { operation, operationId, method, path, query, content, keyed, lookUp } = journaled;
    const { contents, now } = this.settings;
    const identity = identityOf(journaled);
    const key = textOf(storeKey);
    const place = { origin: identity.origin, method, path };
    return {
      version: 1,
      operation,
      operationId,
      claim: crypto.randomUUID(),
      ...identity,
      method,
      path,
      digest: digestOf(journaled),
      ...(contents === 'whole' && query !== '' && { query: await this.encrypt(key, place, query) }),
      ...(contents === 'whole' && { content: await this.encrypt(key, place, content) }),
      keyed,
      state: 'running',
      startedAt: now(),
      lookUp,
    };
  }

  /** Encrypts a text for one record, if there is a key. */
  encrypt(key: string, place: Place, text: string): Promise<string> {
    return this.settings.cipher.encrypt(text, contextOf(key, place));
  }

  async #open(key: string, place: Place, kept: string | undefined): Promise<string | undefined> {
    return kept === undefined ? undefined : this.settings.cipher.decrypt(kept, contextOf(key, place));
  }

  async #recorded(key: string, record: OperationRecord): Promise<ReceivedResponse> {
    const response = await this.#responseOf(key, record);
    if (response !== undefined) return response;
    throw operationSettled(record, missing(record), record.state === 'settled');
  }

  async #responseOf(key: string, record: OperationRecord): Promise<ReceivedResponse | undefined> {
    const { status } = record;
    const text = await this.#open(key, record, record.result);
    if (text === undefined || status === undefined) return undefined;
    return responseOf(status, text);
  }
}
