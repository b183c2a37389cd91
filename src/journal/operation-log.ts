import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { PaymentsError } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { ApiError, PaymentDeclinedError } from '../http/api-errors.ts';
import type { CallJournal, JournaledOperation } from '../http/call-journal.ts';
import { isReplayed } from '../http/response-headers.ts';
import { noHeaders, ReceivedResponse } from '../http/transport/received.ts';
import type { Claimed, ClaimStore } from '../stores/store.ts';
import type { Cipher } from './cipher.ts';
import {
  JournalError,
  OperationInProgressError,
  OperationMismatchError,
  OperationSettledError,
  OperationUnresolvedError,
} from './errors.ts';
import { decodeRecord, encodeRecord, type OperationRecord } from './record.ts';

/** The checked options of a journal. */
export interface LogSettings {
  readonly store: ClaimStore<never>;
  readonly keyLifetime: number;
  readonly retention: number;
  readonly contents: 'whole' | 'digest';
  readonly cipher: Cipher;
  readonly now: () => number;
}

/** What the keys of operations begin with in a store that holds other things too. */
export const keyPrefix = 'operation:';

/** How much longer than its call a lease lasts, in ms: for the work before and after it. */
const leaseMargin = 30_000;

/** The longest text that a record may be, below the bound of every store. */
const maxLength = 900_000;

/** Two requests are the same where they go to the same place with the same content. */
function digestOf(method: string, path: string, content: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${method} ${path}\n${content}`)));
}

/** The names of the fields that differ. */
function differences(before: string | undefined, now: string): readonly string[] {
  const [one, other] = [parseJson(before ?? ''), parseJson(now)];
  if (!isRecord(one) || !isRecord(other)) return [];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])).sort();
}

/**
 * Whether a failure proves that no request of the operation took effect. After an earlier request most refusals prove nothing, since the
 * service may give them before it looks at the key; a decline and a replay come after.
 */
function provesNothingMoved(error: unknown, wasSent: boolean): boolean {
  if (!(error instanceof PaymentsError) || error.outcome !== 'not_executed') return false;
  if (!wasSent || error instanceof PaymentDeclinedError) return true;
  return error instanceof ApiError && isReplayed(error.headers);
}

/** How an operation is sent. */
interface Sending {
  readonly key: string;
  /** Whether an earlier request may have taken effect. */
  readonly wasSent: boolean;
  readonly send: () => Promise<ReceivedResponse>;
}

/** Writes operations into a store: what is about to be sent, and how it ended. */
export class OperationLog implements CallJournal {
  readonly settings: LogSettings;

  constructor(settings: LogSettings) {
    this.settings = settings;
  }

  /** Sends an operation at most once at a time, and gives its recorded result where there is one. */
  async run(operation: JournaledOperation, send: () => Promise<ReceivedResponse>): Promise<ReceivedResponse> {
    const key = keyPrefix + operation.key;
    const fresh = await this.#recordOf(operation);
    const lease = operation.timeLimit + leaseMargin;
    const claim = await this.#ask(fresh, (store) => store.claim(key, lease, { data: encodeRecord(fresh) }));
    if (claim.status === 'in_progress') throw new OperationInProgressError(fresh, claim.retryAfter);
    const known = decodeRecord(claim.data) ?? fresh;
    if (known.digest !== fresh.digest) {
      if (claim.status === 'claimed') await this.#release(key, claim, known);
      const isElsewhere = known.method !== fresh.method || known.path !== fresh.path;
      const fields = differences(await this.#open(known.content), operation.content);
      throw new OperationMismatchError(fresh, [...(isElsewhere ? ['path'] : []), ...fields]);
    }
    if (claim.status === 'completed') return this.#recorded(known);
    const wasSent = claim.attempt > 1 && known.state !== 'refused';
    if (wasSent && this.#mustNotRepeat(known)) {
      await this.#release(key, claim, { ...known, state: 'unknown' });
      throw new OperationUnresolvedError(fresh, new Date(known.startedAt), known.lookUp ?? {});
    }
    // The recorded id, since `resume` knows the key alone.
    const { operationId } = known;
    const record = wasSent ? { ...known, state: 'running' as const } : { ...fresh, operationId };
    if (claim.attempt > 1) await this.#beginAgain(key, claim, lease, record);
    return this.#send(operation, claim, record, { key, wasSent, send });
  }

  async #send(
    operation: JournaledOperation,
    claim: Claimed,
    record: OperationRecord,
    { key, wasSent, send }: Sending,
  ): Promise<ReceivedResponse> {
    let response: ReceivedResponse;
    try {
      response = await send();
    } catch (error) {
      const state = provesNothingMoved(error, wasSent) ? 'refused' : 'unknown';
      await this.#release(key, claim, { ...record, state });
      throw error;
    }
    const verdict = operation.judge(response);
    if (verdict !== 'end') {
      await this.#release(key, claim, { ...record, state: wasSent ? 'unknown' : verdict });
      return response;
    }
    // The result is known, so a store that fails now must not hide it.
    if (!(await this.#close(key, claim, record, response))) {
      operation.warn('the journal could not write the end down; a repeated call asks the service again');
    }
    return response;
  }

  /** Writes an end down, and returns whether the store did. */
  async #close(
    key: string,
    { token }: Claimed,
    record: OperationRecord,
    { status, text }: ReceivedResponse,
  ): Promise<boolean> {
    const { cipher, store, retention } = this.settings;
    const ended = { ...record, state: 'done' as const, status };
    const whole = encodeRecord({ ...ended, result: await cipher.encrypt(text) });
    const data = whole.length <= maxLength ? whole : encodeRecord(ended);
    return store.complete(key, token, retention, { data }).catch(() => false);
  }

  /** Says that the operation is being sent again, before it is: a crash after that must not look like the refusal before it. */
  async #beginAgain(key: string, { token }: Claimed, lease: number, record: OperationRecord): Promise<void> {
    const data = encodeRecord(record);
    const isOurs = await this.#ask(record, (store) => store.renew(key, token, lease, { data }));
    if (!isOurs) throw new OperationInProgressError(record, lease);
  }

  /** Without a key, or with one that the service may have forgotten, a second request could act a second time. */
  #mustNotRepeat({ keyed, startedAt }: OperationRecord): boolean {
    return !keyed || this.settings.now() - startedAt > this.settings.keyLifetime;
  }

  async #recordOf(journaled: JournaledOperation): Promise<OperationRecord> {
    const { operation, operationId, method, path, content, keyed, lookUp } = journaled;
    const { contents, cipher, now } = this.settings;
    return {
      ...{ version: 1, operation, operationId, method, path, digest: digestOf(method, path, content) },
      ...(contents === 'whole' && { content: await cipher.encrypt(content) }),
      ...{ keyed, state: 'running', startedAt: now() },
      ...(lookUp && { lookUp }),
    };
  }

  async #ask<T>(record: OperationRecord, question: (store: LogSettings['store']) => Promise<T>): Promise<T> {
    try {
      return await question(this.settings.store);
    } catch (error) {
      throw new JournalError(record, error);
    }
  }

  /** Gives a claim back. One that cannot be given back runs out. */
  async #release(key: string, { token }: Claimed, record: OperationRecord): Promise<void> {
    await this.settings.store.release(key, token, { data: encodeRecord(record) }).catch(() => false);
  }

  async #open(kept: string | undefined): Promise<string | undefined> {
    return kept === undefined ? undefined : this.settings.cipher.decrypt(kept);
  }

  async #recorded(record: OperationRecord): Promise<ReceivedResponse> {
    const text = await this.#open(record.result);
    if (text === undefined || record.status === undefined) throw new OperationSettledError(record);
    const body = { text, bytes: text.length, complete: true, validUtf8: true };
    return new ReceivedResponse({ status: record.status, headers: noHeaders() }, body);
  }
}
