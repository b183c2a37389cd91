import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { PaymentsError } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { ApiError } from '../http/api-errors.ts';
import type { CallJournal, JournaledOperation, Verdict } from '../http/call-journal.ts';
import type { PreparedCall, Sent } from '../http/prepared-call.ts';
import { isReplayed } from '../http/response-headers.ts';
import { ReceivedResponse } from '../http/transport/received.ts';
import type { Claimed, ClaimStore } from '../stores/store.ts';
import {
  JournalError,
  OperationInProgressError,
  OperationMismatchError,
  OperationSettledError,
  OperationUnresolvedError,
} from './errors.ts';
import { decodeRecord, encodeRecord, type OperationRecord } from './record.ts';
import type { Seal } from './sealing.ts';

/** The checked options of a journal. */
export interface LogSettings {
  readonly store: ClaimStore<never>;
  readonly keyLifetime: number;
  readonly retention: number;
  readonly contents: 'whole' | 'digest';
  readonly seal: Seal;
  readonly now: () => number;
}

/** What the keys of operations begin with in a store that holds other things too. */
export const keyPrefix = 'operation:';

/** How much longer than its call a lease lasts, in ms: for the work before and after it. */
const leaseMargin = 30_000;

/** The longest text that a record may be, below the bound of every store. */
const maxLength = 900_000;

function digestOf(content: string): string {
  return bytesToHex(sha256(utf8ToBytes(content)));
}

/** The names of the fields that differ. */
function differences(before: string | undefined, now: string): readonly string[] {
  const [one, other] = [parseJson(before ?? ''), parseJson(now)];
  if (!isRecord(one) || !isRecord(other)) return [];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])).sort();
}

/** Whether a failure proves that no request of the operation took effect. */
function provesRefusal(error: unknown, wasSent: boolean): boolean {
  if (!(error instanceof PaymentsError) || error.outcome !== 'not_executed') return false;
  // A new refusal says nothing of an earlier request that may have taken effect; a replayed one is the answer to that request.
  return (
    !wasSent ||
    (error instanceof ApiError && isReplayed({ get: (name) => error.headers.get(name), web: error.headers }))
  );
}

const noHeaders = { get: () => null, web: new Headers() };

/** How an operation is sent. */
interface Sending {
  /** Whether an earlier request may have taken effect. */
  readonly wasSent: boolean;
  readonly judge: (response: ReceivedResponse) => Verdict;
  readonly send: () => Promise<Sent>;
}

/** Writes operations into a store: what is about to be sent, and how it ended. */
export class OperationLog implements CallJournal {
  readonly settings: LogSettings;

  constructor(settings: LogSettings) {
    this.settings = settings;
  }

  /** Sends an operation at most once at a time, and gives its recorded result where there is one. */
  async run(call: PreparedCall, operation: JournaledOperation, send: () => Promise<Sent>): Promise<Sent> {
    const key = keyPrefix + operation.key;
    const fresh = await this.#recordOf(call, operation);
    const lease = call.bounds.totalTimeout + leaseMargin;
    const claim = await this.#ask(fresh, (store) => store.claim(key, lease, { data: encodeRecord(fresh) }));
    if (claim.status === 'in_progress') throw new OperationInProgressError(fresh, claim.retryAfter);
    const known = decodeRecord(claim.data) ?? fresh;
    if (known.digest !== fresh.digest) {
      if (claim.status === 'claimed') await this.#release(key, claim, known);
      throw new OperationMismatchError(
        fresh,
        differences(await this.#open(known.content), operation.content),
      );
    }
    if (claim.status === 'completed') return this.#recorded(call, known);
    const wasSent = claim.attempt > 1 && known.state !== 'refused';
    if (wasSent && this.#mustNotRepeat(known)) {
      await this.#release(key, claim, { ...known, state: 'unknown' });
      throw new OperationUnresolvedError(fresh, new Date(known.startedAt), known.lookUp ?? {});
    }
    const record = wasSent ? { ...known, state: 'running' as const } : fresh;
    if (claim.attempt > 1) await this.#beginAgain(key, claim, lease, record);
    return this.#send(key, claim, record, { wasSent, judge: operation.judge, send });
  }

  async #send(
    key: string,
    claim: Claimed,
    record: OperationRecord,
    { wasSent, judge, send }: Sending,
  ): Promise<Sent> {
    let sent: Sent;
    try {
      sent = await send();
    } catch (error) {
      await this.#release(key, claim, {
        ...record,
        state: provesRefusal(error, wasSent) ? 'refused' : 'unknown',
      });
      throw error;
    }
    const verdict = judge(sent.response);
    if (verdict === 'end') await this.#close(key, claim, record, sent);
    else await this.#release(key, claim, { ...record, state: wasSent ? 'unknown' : verdict });
    return sent;
  }

  /** Writes an end down. The result is known, so a store that fails now must not hide it. */
  async #close(
    key: string,
    claim: Claimed,
    record: OperationRecord,
    { call, response }: Sent,
  ): Promise<void> {
    const { seal, store, retention } = this.settings;
    const { status, text } = response;
    const ended = { ...record, state: 'done' as const, status };
    const whole = encodeRecord({ ...ended, result: await seal.close(text) });
    const data = whole.length <= maxLength ? whole : encodeRecord(ended);
    try {
      await store.complete(key, claim.token, retention, { data });
    } catch {
      const { operation, callId } = call.identity;
      const problem = 'the journal could not write the end down; a repeated call asks the service again';
      call.connection.observer.warn(`${operation}: ${problem}`, { callId, operation });
    }
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

  async #recordOf(call: PreparedCall, operation: JournaledOperation): Promise<OperationRecord> {
    const { operationId, content, lookUp } = operation;
    const { contents, seal, now } = this.settings;
    return {
      ...{ version: 1, operation: call.identity.operation, operationId },
      ...{ method: call.request.method, path: call.path, digest: digestOf(content) },
      ...(contents === 'whole' && { content: await seal.close(content) }),
      ...{ keyed: call.idempotencyKey !== undefined, state: 'running', startedAt: now() },
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

  async #open(sealed: string | undefined): Promise<string | undefined> {
    return sealed === undefined ? undefined : this.settings.seal.open(sealed);
  }

  async #recorded(call: PreparedCall, record: OperationRecord): Promise<Sent> {
    const text = await this.#open(record.result);
    if (text === undefined || record.status === undefined) throw new OperationSettledError(record);
    const body = { text, bytes: text.length, complete: true, validUtf8: true };
    const response = new ReceivedResponse({ status: record.status, headers: noHeaders }, body);
    return { call, response, attempts: 0, outcome: 'executed', isRecorded: true };
  }
}
