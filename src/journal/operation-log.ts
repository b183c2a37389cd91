/** One journaled call, in order: `begin` claims and records its operation, then it is sent, and `end` or `fail` records what is known of it. */

import { ConfigurationError, type Outcome, type PaymentsError } from '../base/errors.ts';
import type { WebAbortSignal } from '../base/runtime/runtime.ts';
import { bounded, Interrupted } from '../base/time.ts';
import type {
  CallFailure,
  CallJournal,
  JournaledOperation,
  OutcomeQuestion,
  Recording,
  Sender,
  Verdict,
} from '../http/past/call-journal.ts';
import type { ReceivedResponse } from '../http/transport/transport.ts';
import type { PostgresClient } from '../stores/postgres/client.ts';
import {
  accountOf,
  differenceOf,
  goesElsewhere,
  type KeySpace,
  keySpacesOf,
  type StoreKey,
  textOf,
} from './account.ts';
import {
  journalFailed,
  type MissingResult,
  type OperationName,
  operationInProgress,
  operationSettled,
  operationUnresolved,
  otherAccount,
  outcomeOfFirst,
} from './errors.ts';
import { asRefused, couldActTwice, mayHaveActed, type OperationRecord, stateAfter } from './record.ts';
import { type ContentsSettings, RecordContents } from './record-contents.ts';
import type { Row } from './record-format.ts';
import type { FailoverWatch } from './store/failover.ts';
import {
  type Claim,
  type Hold,
  leaseMargin,
  maxTakeOvers,
  OperationStore,
  type StoreSettings,
} from './store/operation-store.ts';

/** The checked options of a journal. */
interface LogSettings extends StoreSettings, ContentsSettings {
  readonly account: string | undefined;
  readonly failover: FailoverWatch;
}

/** A call, and what it would record. */
interface Begun {
  readonly key: StoreKey;
  readonly fresh: OperationRecord;
  readonly operation: JournaledOperation;
}

/** @throws JournalError when the store fails. */
export async function ask<T>(name: OperationName, question: Promise<T>): Promise<T> {
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

/** Records operations in a store: before they are sent, and when their outcome is known. */
export class OperationLog implements CallJournal {
  readonly settings: LogSettings;
  readonly store: OperationStore;
  readonly contents: RecordContents;
  /** Where it looks for operations. It records new ones in the first. */
  readonly spaces: readonly [KeySpace, ...KeySpace[]];
  readonly #mayTakeOver: boolean;

  /**
   * @param spaces Default: those of the account.
   * @param mayTakeOver Whether a call may be sent while another attempt of it is.
   */
  constructor(
    settings: LogSettings,
    store = new OperationStore(settings),
    contents = new RecordContents(settings),
    spaces = keySpacesOf(settings.account),
    mayTakeOver = true,
  ) {
    this.settings = settings;
    this.store = store;
    this.contents = contents;
    this.spaces = spaces;
    this.#mayTakeOver = mayTakeOver;
  }

  get account(): string | undefined {
    return this.settings.account;
  }

  idle(): Promise<void> {
    return this.store.idle();
  }

  /** Returns a log that looks in one space alone, so that a resumed record is the one that is sent. */
  within(space: KeySpace, mayTakeOver: boolean): OperationLog {
    return new OperationLog(this.settings, this.store, this.contents, [space], mayTakeOver);
  }

  /** Claims an operation, so that one without a key is never sent twice concurrently, or returns its recorded result. */
  async begin(operation: JournaledOperation): Promise<Recording | ReceivedResponse> {
    const { signal } = operation;
    if (signal?.aborted) throw new Interrupted('aborted');
    const begun = this.#claim(operation);
    return bounded(begun, signal).catch((error: unknown) => {
      // The store may still grant the claim.
      if (error instanceof Interrupted) this.store.later(begun.then(giveUp));
      throw error;
    });
  }

  /** Claims an operation, or returns its recorded result. */
  async #claim(operation: JournaledOperation): Promise<JournaledCall | ReceivedResponse> {
    const key = await ask(operation, this.keyOf(operation.key));
    const fresh = await this.contents.recordOf(textOf(key), operation);
    const begun = { key, fresh, operation };
    const lease = operation.timeLimit + leaseMargin;
    for (let tries = 1; ; tries += 1) {
      let claim = await this.#accept(begun, { lease, fresh });
      if (claim.status === 'in_progress' && this.#mayBeTwo(claim.row, begun)) {
        claim = await this.#accept(begun, { lease, fresh, takeOver: true });
      }
      const { record: known = fresh } = claim.row;
      if (claim.status === 'completed') return this.#resultOf(textOf(key), known);
      if (claim.status !== 'claimed') throw operationInProgress(fresh, claim.retryAfter);
      const call = await this.#prepare(claim.hold, known, { ...begun, lease });
      if (call !== undefined) return call;
      if (!fresh.keyed || tries === maxTakeOvers) throw operationInProgress(fresh, lease);
    }
  }

  /** Claims an operation, unless what the store has under its key is not to be used. */
  async #accept(begun: Begun, claiming: Parameters<OperationStore['claim']>[1]): Promise<Claim> {
    const claim = await ask(begun.fresh, this.store.claim(begun.key, claiming));
    const refusal = await this.#refusalOf(claim, begun);
    if (refusal === undefined) return claim;
    if (claim.status === 'claimed') await claim.hold.giveBack().catch(() => false);
    throw refusal;
  }

  /** Whether an operation that another attempt sends may be sent at the same time: the service knows the two by their key. */
  #mayBeTwo({ record }: Row, { fresh, operation }: Begun): boolean {
    if (!this.#mayTakeOver || record === undefined || goesElsewhere(record, fresh)) return false;
    return !couldActTwice(record, this.settings.now(), operation.keyLifetime);
  }

  /** Decides whether a claimed operation may be sent, and records that it is being sent. Returns nothing if another attempt came between. */
  async #prepare(
    hold: Hold,
    known: OperationRecord,
    { key, fresh, operation, lease }: Begun & { readonly lease: number },
  ): Promise<JournaledCall | undefined> {
    const isNew = hold.attempt === 1;
    const wasSent = !isNew && mayHaveActed(known);
    const isElsewhere = goesElsewhere(known, fresh);
    const isLate = couldActTwice(known, this.settings.now(), operation.keyLifetime);
    if (wasSent && (isElsewhere || isLate)) {
      await hold.release({ ...known, state: 'unknown' }).catch(() => false);
      throw operationUnresolved(known, isElsewhere ? 'sent elsewhere' : 'sent');
    }
    const unsent = isNew ? asRefused(fresh) : known;
    // A call without a key that the store has forgotten would act twice.
    const checked = this.settings.failover.check(hold.server, fresh.keyed, operation.warn);
    await this.#orEnd(ask(fresh, checked), hold, unsent);
    const { operationId, isPlanned } = known;
    const record = wasSent ? { ...known, state: 'running' as const } : { ...fresh, operationId, isPlanned };
    // Renewed before it is sent again: a crash after that must not look like the state before.
    const renewed = isNew || hold.renew(lease, record);
    if (!(await this.#orEnd(ask(record, Promise.resolve(renewed)), hold, unsent))) return undefined;
    return new JournaledCall(this, { key, hold, record, unsent, wasSent, operation });
  }

  /** Waits for what comes before the request. If that fails, ends the claim. */
  async #orEnd<T>(step: Promise<T>, hold: Hold, unsent: OperationRecord): Promise<T> {
    return step.catch(async (error: unknown) => {
      await this.store.endLater(hold, unsent);
      throw error;
    });
  }

  /** Returns why a call must not use what the store has under its key; `undefined` if it may. */
  async #refusalOf(
    { row, status }: Claim,
    { key, fresh, operation }: Begun,
  ): Promise<PaymentsError | undefined> {
    const { record: known, damage } = row;
    if (damage !== undefined) return operationUnresolved({ ...fresh, lookUp: {} }, damage);
    if (known === undefined) return undefined;
    const difference = differenceOf(key.space, known, fresh);
    if (difference !== undefined) return otherAccount(fresh, difference);
    if (known.digest === fresh.digest) return undefined;
    // Who holds the claim may be about to send again what was refused before.
    const first = status === 'in_progress' ? { ...known, state: 'running' as const } : known;
    return this.contents.mismatch(textOf(key), first, fresh, operation);
  }

  async outcomeOf(question: OutcomeQuestion, sender: Sender | undefined): Promise<Outcome> {
    try {
      return await bounded(this.#outcomeOf(question, sender), question.signal);
    } catch {
      return 'unknown';
    }
  }

  async #outcomeOf(question: OutcomeQuestion, sender: Sender | undefined): Promise<Outcome> {
    const key = await this.keyOf(question.key);
    const { record, damage } = await this.store.rowOf(key);
    if (record === undefined) return damage === undefined ? 'not_executed' : 'unknown';
    // An operation of another account is not this one.
    const isOwn = sender !== undefined && differenceOf(key.space, record, accountOf(sender)) === undefined;
    if (damage !== undefined || !isOwn) return 'unknown';
    return outcomeOfFirst(await this.contents.firstEnd(textOf(key), record, question));
  }

  async #resultOf(key: string, record: OperationRecord): Promise<ReceivedResponse> {
    const response = await this.contents.resultOf(key, record);
    if (response !== undefined) return response;
    throw operationSettled(record, missing(record), record.state === 'settled');
  }

  /** Records an operation for later. An operation that is already recorded does not change. */
  async plan(operation: JournaledOperation, client: PostgresClient | undefined): Promise<void> {
    const key = await ask(operation, this.keyOf(operation.key, client));
    const record = await this.contents.recordOf(textOf(key), operation);
    const fresh = { ...record, state: 'planned' as const, isPlanned: true };
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
}

/** An operation that is claimed and may be sent now. */
interface Sending {
  readonly key: StoreKey;
  readonly hold: Hold;
  readonly record: OperationRecord;
  /** The record to release if nothing is sent. */
  readonly unsent: OperationRecord;
  /** Whether an earlier request may have taken effect. */
  readonly wasSent: boolean;
  readonly operation: JournaledOperation;
}

/** A call from the record of its operation to that of its outcome. */
class JournaledCall implements Recording {
  readonly hasPast: boolean;
  readonly #log: OperationLog;
  readonly #sending: Sending;

  constructor(log: OperationLog, sending: Sending) {
    this.#log = log;
    this.#sending = sending;
    this.hasPast = sending.wasSent;
  }

  async end(response: ReceivedResponse, verdict: Verdict): Promise<boolean> {
    const { key, hold, record, wasSent, operation } = this.#sending;
    if (verdict === 'refused' || verdict === 'unknown') {
      const outcome = verdict === 'unknown' ? 'unknown' : 'not_executed';
      await this.#release(stateAfter(record, wasSent, { outcome, endsDoubt: false }));
      return true;
    }
    const done = await this.#log.contents.done(hold.key, record, response, operation.cardNumbers);
    const { store } = this.#log;
    const write = store.endSurely(key, hold, done);
    // The result is known, so a failing store must not hide it.
    const written = await resultOf(write, operation.signal);
    // Not awaited: a store that hangs would hang again.
    if (written === 'failed') store.later(store.endLater(hold, done));
    if (written === 'open') store.later(write.catch(() => store.endLater(hold, done)));
    return written === 'held' || written === 'open';
  }

  async fail(failure: CallFailure): Promise<Outcome> {
    const { record, wasSent, operation } = this.#sending;
    const state = stateAfter(record, wasSent, failure);
    const written = await this.#release(state, failure.endsDoubt);
    // Another attempt has the claim, and perhaps its end.
    if (written === 'lost') return this.#log.outcomeOf(operation, operation);
    // It may have: only a sale is never taken over.
    if (written !== 'held' && record.keyed) return 'unknown';
    return state === 'unknown' && failure.outcome === 'not_executed' ? 'unknown' : failure.outcome;
  }

  /** Ends a claim with which nothing was sent. */
  giveUp(): Promise<void> {
    const { hold, unsent } = this.#sending;
    return this.#log.store.endLater(hold, unsent);
  }

  /** @param isEnd Whether the operation ends with it. Then it is recorded even if another attempt has taken the claim over. */
  async #release(state: OperationRecord['state'], isEnd = false): Promise<Written> {
    const { key, hold, operation } = this.#sending;
    const { store } = this.#log;
    const record = { ...this.#sending.record, state };
    const write = isEnd ? store.endSurely(key, hold, record) : hold.release(record);
    const written = await resultOf(write, operation.signal);
    // A record of what was never sent must not look as if it had been.
    if (written === 'failed') await store.endLater(hold, record);
    if (written === 'open') store.later(write.catch(() => store.endLater(hold, record)));
    return written;
  }
}

/** Ends the claim of a call that its caller has aborted. */
async function giveUp(late: JournaledCall | ReceivedResponse): Promise<void> {
  if (late instanceof JournaledCall) await late.giveUp();
}

/** What became of a write: another attempt has taken the claim over, the store failed, or nobody waited for it. */
type Written = 'held' | 'lost' | 'failed' | 'open';

/** Waits for a write at most until the signal is aborted; the write itself goes on. */
async function resultOf(write: Promise<boolean>, signal: WebAbortSignal | undefined): Promise<Written> {
  try {
    return (await bounded(write, signal)) ? 'held' : 'lost';
  } catch (error) {
    return error instanceof Interrupted ? 'open' : 'failed';
  }
}
