import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { ConfigurationError, PaymentsError } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { ApiError, PaymentDeclinedError } from '../http/api-errors.ts';
import type { CallJournal, JournaledOperation } from '../http/call-journal.ts';
import { isReplayed } from '../http/response-headers.ts';
import { noHeaders, ReceivedResponse } from '../http/transport/received.ts';
import type { PostgresClient } from '../stores/postgres-client.ts';
import type { Cipher } from './cipher.ts';
import {
  JournalError,
  type MissingResult,
  OperationInProgressError,
  OperationMismatchError,
  OperationSettledError,
  OperationUnresolvedError,
} from './errors.ts';
import { type Hold, leaseMargin, OperationStore, type StoreSettings } from './operation-store.ts';
import type { OperationRecord } from './record.ts';

/** The checked options of a journal. */
export interface LogSettings extends StoreSettings {
  readonly keyLifetime: number;
  readonly contents: 'whole' | 'digest';
  readonly cipher: Cipher;
  readonly now: () => number;
}

/** The prefix of operation keys, in a store with other contents. */
export const keyPrefix = 'operation:';

/** How far the clocks of two processes may differ, in ms. */
const clockTolerance = 600_000;

/** Two requests are equal if they send the same content to the same place. */
function digestOf({ method, path, query, content }: JournaledOperation): string {
  return bytesToHex(sha256(utf8ToBytes(`${method} ${path}${query}\n${content}`)));
}

/** What a request sends to its path. */
type KeptParameters = Pick<JournaledOperation, 'query' | 'content'>;

/** Returns the names of the fields that differ. */
function differences(before: KeptParameters, now: KeptParameters): readonly string[] {
  const query = before.query === now.query ? [] : ['query'];
  return [...query, ...fieldDifferences(parseJson(before.content), parseJson(now.content))];
}

function fieldDifferences(one: unknown, other: unknown): readonly string[] {
  if (!isRecord(one) || !isRecord(other)) return [];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])).sort();
}

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

async function ask<T>(record: OperationRecord, question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    throw error instanceof ConfigurationError ? error : new JournalError(record, error);
  }
}

/** Returns why a closed operation has no result to return. */
function missing({ state, result }: OperationRecord): MissingResult {
  if (result !== undefined) return 'encrypted';
  if (state === 'settled') return 'settled';
  return state === 'done' ? 'too long' : 'unreadable';
}

/** Releases the claim. If that fails, its lease expires. */
async function giveBack(hold: Hold, record: OperationRecord): Promise<void> {
  await hold.release(record).catch(() => false);
}

/** How to send an operation. */
interface Sending {
  readonly hold: Hold;
  readonly record: OperationRecord;
  /** Whether an earlier request may have taken effect. */
  readonly wasSent: boolean;
  readonly send: () => Promise<ReceivedResponse>;
}

/** Records operations in a store: before they are sent, and when their outcome is known. */
export class OperationLog implements CallJournal {
  readonly settings: LogSettings;
  readonly store: OperationStore;

  constructor(settings: LogSettings) {
    this.settings = settings;
    this.store = new OperationStore(settings);
  }

  /** Sends an operation, never twice concurrently, and returns its recorded result if there is one. */
  async run(operation: JournaledOperation, send: () => Promise<ReceivedResponse>): Promise<ReceivedResponse> {
    const fresh = await this.#recordOf(operation);
    const lease = operation.timeLimit + leaseMargin;
    const claim = await ask(fresh, this.store.claim(keyPrefix + operation.key, { lease, fresh }));
    const { record: known = fresh } = claim.status === 'claimed' ? claim.hold : claim;
    if (known.digest !== fresh.digest) {
      if (claim.status === 'claimed') await giveBack(claim.hold, known);
      throw await this.#mismatch(known, fresh, operation);
    }
    if (claim.status === 'in_progress' || claim.status === 'none') {
      throw new OperationInProgressError(fresh, claim.retryAfter);
    }
    if (claim.status === 'completed') return this.#recorded(known);
    const { hold } = claim;
    const wasSent = hold.attempt > 1 && known.state !== 'refused' && known.state !== 'planned';
    if (wasSent && this.#mustNotRepeat(known)) {
      await giveBack(hold, { ...known, state: 'unknown' });
      throw new OperationUnresolvedError(known, 'sent');
    }
    const startedAt = wasSent ? known.startedAt : fresh.startedAt;
    const record = { ...known, state: 'running' as const, startedAt };
    // Renewed before it is sent again: a crash after that must not look like the state before.
    const isHeld = hold.attempt === 1 || (await ask(record, hold.renew(lease, record)));
    if (!isHeld) throw new OperationInProgressError(record, lease);
    return this.#send(operation, { hold, record, wasSent, send });
  }

  /** Records an operation for later. An operation that is already recorded does not change. */
  async plan(operation: JournaledOperation, client: PostgresClient | undefined): Promise<void> {
    const fresh = { ...(await this.#recordOf(operation)), state: 'planned' as const, isPlanned: true };
    const claiming = { lease: leaseMargin, fresh, client };
    const claim = await ask(fresh, this.store.claim(keyPrefix + operation.key, claiming));
    // `settle` holds the key of an operation that is not recorded.
    if ('retryAfter' in claim && claim.record === undefined) {
      throw new OperationInProgressError(fresh, claim.retryAfter);
    }
    const { record: known = fresh } = claim.status === 'claimed' ? claim.hold : claim;
    if (claim.status === 'claimed') {
      const isNew = known.state === 'refused' && known.digest === fresh.digest;
      await ask(fresh, claim.hold.release(isNew ? fresh : known));
    }
    if (known.digest !== fresh.digest) throw await this.#mismatch(known, fresh, operation);
  }

  async #send(
    operation: JournaledOperation,
    { hold, record, wasSent, send }: Sending,
  ): Promise<ReceivedResponse> {
    let response: ReceivedResponse;
    try {
      response = await send();
    } catch (error) {
      const state = provesNothingMoved(error, wasSent) ? refusedState(record) : 'unknown';
      await giveBack(hold, { ...record, state });
      throw error;
    }
    const verdict = operation.judge(response);
    if (verdict !== 'end') {
      const state = wasSent || verdict === 'unknown' ? 'unknown' : refusedState(record);
      await giveBack(hold, { ...record, state });
      return response;
    }
    // The result is known, so a failing store must not hide it.
    const isClosed = await hold.complete(await this.#endOf(record, response)).catch(() => false);
    if (!isClosed) {
      operation.warn('the journal could not record the outcome; a repeated call asks the service again');
    }
    return response;
  }

  /** Returns the parameters of an operation; `undefined` if they were not kept, or cannot be decrypted. */
  async parametersOf(record: OperationRecord): Promise<KeptParameters | undefined> {
    const content = await this.#open(record.content);
    const query = record.query === undefined ? '' : await this.#open(record.query);
    return content === undefined || query === undefined ? undefined : { query, content };
  }

  async #mismatch(
    known: OperationRecord,
    fresh: OperationRecord,
    operation: JournaledOperation,
  ): Promise<OperationMismatchError> {
    const isElsewhere = known.method !== fresh.method || known.path !== fresh.path;
    const before = await this.parametersOf(known);
    const fields = before === undefined ? [] : differences(before, operation);
    return new OperationMismatchError(fresh, [...(isElsewhere ? ['path'] : []), ...fields]);
  }

  async #endOf(record: OperationRecord, { status, text }: ReceivedResponse): Promise<OperationRecord> {
    return { ...record, state: 'done', status, result: await this.settings.cipher.encrypt(text) };
  }

  /**
   * Without a key, or with a key that the service may have forgotten, a second request could act twice. The age of an
   * operation that starts in the future is unknown: a clock was wrong, or still is.
   */
  #mustNotRepeat({ keyed, startedAt }: OperationRecord): boolean {
    const age = this.settings.now() - startedAt;
    return !keyed || age < -clockTolerance || age > this.settings.keyLifetime;
  }

  async #recordOf(journaled: JournaledOperation): Promise<OperationRecord> {
    const { operation, operationId, method, path, query, content, keyed, lookUp } = journaled;
    const { contents, cipher, now } = this.settings;
    return {
      ...{ version: 1, operation, operationId, method, path, digest: digestOf(journaled) },
      ...(contents === 'whole' && query !== '' && { query: await cipher.encrypt(query) }),
      ...(contents === 'whole' && { content: await cipher.encrypt(content) }),
      ...{ keyed, state: 'running', startedAt: now() },
      ...(lookUp && { lookUp }),
    };
  }

  async #open(kept: string | undefined): Promise<string | undefined> {
    return kept === undefined ? undefined : this.settings.cipher.decrypt(kept);
  }

  async #recorded(record: OperationRecord): Promise<ReceivedResponse> {
    const text = await this.#open(record.result);
    if (text === undefined || record.status === undefined) {
      throw new OperationSettledError(record, missing(record), record.state === 'settled');
    }
    const body = { text, bytes: text.length, complete: true, validUtf8: true };
    return new ReceivedResponse({ status: record.status, headers: noHeaders() }, body);
  }
}
