import { forEachAtOnce, isolate } from '../base/functions.ts';
import { parseJson } from '../base/json.ts';
import type { Inline } from '../base/runtime/runtime.ts';
import {
  checkOptions,
  functionOf,
  integerFrom,
  optionsOf,
  timeFrom,
  unchecked,
} from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { callOptionsSchema } from '../http/client/options.ts';
import { type Api, execute } from '../http/execute.ts';
import { storedEncoding } from '../http/request/raw-encoding.ts';
import { isHttpMethod } from '../http/request/route.ts';
import type { Secret } from '../http/request/secret.ts';
import { returnedAnyObject, returnedBody } from '../http/response.ts';
import type { Backlog } from '../stores/backlog.ts';
import type { PostgresClient } from '../stores/postgres/client.ts';
import type { OpenClaim } from '../stores/store.ts';
import { ClientAccounts, keyIn, type StoreKey, textOf } from './account.ts';
import {
  OperationInProgressError,
  OperationUnresolvedError,
  operationInProgress,
  operationUnresolved,
} from './errors.ts';
import { ask, type OperationLog } from './operation-log.ts';
import { type PlannedCalls, plannedCalls } from './planned-calls.ts';
import { isOpenState, type OperationRecord } from './record.ts';
import type { Row } from './record-format.ts';
import { type SettleOptions, Settling } from './settle.ts';
import { maxTakeOvers } from './store/operation-store.ts';

/** A business operation whose outcome is unknown. */
export interface OpenOperation {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  /** Your own id of the business operation. */
  readonly operationId: string;
  /**
   * `planned`: recorded but not sent. `running`: being sent, or its process died. `unknown`: it may have taken effect.
   * `damaged`: its record was changed or moved, is in plain without `'plain'` in `encryptionKey`, or was written with a key that it lacks.
   * Then no field can be trusted.
   */
  readonly state: 'planned' | 'running' | 'unknown' | 'damaged';
  /** When it was first sent, or planned. */
  readonly startedAt: Date;
  /** For looking it up: amount, masked card and `orderid` of a sale; `path` for the JSON API, such as `/v1/payment_intents/pi_1/capture`. */
  readonly lookUp: Readonly<Record<string, string>>;
  /**
   * Why the record has only a digest of the parameters, so that `resume` refuses: they hold `card_data`, or `personal_data` that the journal
   * leaves out, or the journal's `contents` are `digest`. `undefined` if it has them.
   */
  readonly digestOnly: 'card_data' | 'personal_data' | 'contents' | undefined;
  /**
   * Sends the request again with its original idempotency key, without the headers of that call.
   *
   * @returns The response's body, unchecked.
   * @throws OperationUnresolvedError when it must not be retried, it has ended, its parameters were not kept, or its record is damaged. If there is a
   * `digestOnly`, repeat the call itself.
   * @throws OperationInProgressError while another process may still send one that has no key.
   * @throws InvalidRequestError when its path could lead elsewhere.
   * @throws JournalError when the journal's store fails; nothing was sent.
   */
  resume(): Promise<unknown>;
  /** Closes it manually, once you know its outcome. Throws as `journal.settle` does. */
  settle(options: SettleOptions): Promise<void>;
}

/** Options of `journal.open`. */
interface OpenOperationsOptions {
  /** Only operations first sent, or planned, at least this long ago, in ms. Default: 0. */
  readonly olderThan?: number | undefined;
}

/** Options of `journal.plan`. */
interface PlanOptions {
  /**
   * A connection to the database of `postgresStore`, with your open transaction. Default: each operation is recorded
   * immediately.
   */
  readonly client?: PostgresClient | undefined;
}

/** How far `journal.resume` has come. */
type ResumeProgress = Inline<{
  /** How many operations it has looked at. */
  readonly done: number;
  /** How many were open when it began, with those of other accounts and of other processes, which it leaves. */
  readonly total: number;
}>;

/** Options of `journal.resume`. */
interface ResumeOptions {
  /** How many operations are sent at once, an integer from 1 to 100. Default: 8. */
  readonly concurrency?: number | undefined;
  /** Gets the progress after each operation. Its errors are ignored. */
  readonly onProgress?: ((progress: ResumeProgress) => unknown) | undefined;
}

/** An operation that `journal.resume` could not end, and why. */
type LeftOperation = Inline<{
  /** The operation. */
  readonly operation: OpenOperation;
  /** What its `resume` threw. */
  readonly error: unknown;
}>;

/** What became of the open operations. */
type Resumed = Inline<{
  /** How many now have a result. */
  readonly resumed: number;
  /** How many another process is sending: it ends them, or a later `resume` does once their lease is over. */
  readonly inProgress: number;
  /** Those that failed. If the error is `retryable`, a later `resume` sends the operation again; otherwise correct the cause. */
  readonly failed: readonly LeftOperation[];
  /** Those that only a person can end: nothing was sent. Look each one up, and call its `settle`; if it has a `digestOnly`, repeat the call. */
  readonly unresolved: readonly LeftOperation[];
}>;

const resumeOptions = /* @__PURE__ */ optionsOf<ResumeOptions>(() => ({
  concurrency: s.optional(integerFrom(1, 100)),
  onProgress: s.optional(functionOf<(progress: ResumeProgress) => unknown>()),
}));
const planOptions = /* @__PURE__ */ optionsOf<PlanOptions>(() => ({ client: unchecked() }));
const openOptions = /* @__PURE__ */ optionsOf<OpenOperationsOptions>(() => ({
  olderThan: s.optional(timeFrom(0)),
}));

/** A row of the store, and its key. */
interface Found {
  readonly key: StoreKey;
  readonly row: Row;
  /** The remaining lease, in ms. */
  readonly leased: number;
}

/** A row of the client's own account. */
interface OwnFound extends Found {
  readonly record: OperationRecord;
}

/** What became of the records. */
type Reencrypted = Inline<{
  /** How many this call wrote with the first key. */
  readonly done: number;
  /** How many are left, since no key of `encryptionKey` reads them: add the one that wrote them. Calls may also have written some all the time. */
  readonly left: number;
  /** How many belong to others: recorded with other keys, at another base URL or in another mode. They are unchanged. */
  readonly others: number;
}>;

/** How much open work a journal has. */
type JournalBacklog = Inline<
  Backlog & {
    /** Whether this process has noticed a failover or a restore of the store that nobody has acknowledged. */
    readonly failedOver: boolean;
  }
>;

/** How many operations are read per page. */
const pageSize = 100;

/**
 * `payments.journal`: the recorded business operations of a client. It lists each one that may have moved money, until its
 * outcome is known.
 *
 * @example
 * const { failed, unresolved } = await payments.journal.resume();
 */
export class Journal {
  readonly #log: OperationLog;
  readonly #api: Api;
  readonly #securityKey: Secret | undefined;
  readonly #settling: Settling;

  /** @internal */
  constructor(log: OperationLog, api: Api, securityKey: Secret | undefined) {
    this.#log = log;
    this.#api = api;
    this.#securityKey = securityKey;
    this.#settling = new Settling(log, api, securityKey);
  }

  /**
   * Records business operations without sending them. If you record one within your own database transaction, an order and
   * its payment commit together, or neither does. Call the same methods as on the client; a later call with the same id, or
   * `resume`, sends the operation.
   *
   * Checks the parameters as the method does. An operation that is already recorded does not change. A planned call throws a
   * `ConfigurationError` if the store has no transactions and got a `client`.
   *
   * @throws ConfigurationError when an option is wrong, or the journal keeps only digests.
   *
   * @example
   * await connection.query('BEGIN');
   * await connection.query('INSERT INTO returns (id, charge) VALUES ($1, $2)', ['return-77', charge.id]);
   * const planned = payments.journal.plan({ client: connection });
   * await planned.refunds.create({ charge_id: charge.id }, { operationId: 'return-77' });
   * await connection.query('COMMIT');
   */
  plan(options: PlanOptions = {}): PlannedCalls {
    checkOptions('journal.plan', planOptions, options);
    return plannedCalls(this.#api, this.#log, options.client);
  }

  /**
   * Iterates over the business operations whose outcome is unknown, including those that other processes are sending. Throws
   * what the store throws.
   *
   * Lists those of the client's own account: with an `account` all that it names, in the mode of the `secretKey`, and
   * otherwise those that began with the client's keys at its `baseUrl`. Logs a warning with the number of others.
   *
   * @throws ConfigurationError when an option is wrong, or a function fails to give a key.
   */
  async *open(options: OpenOperationsOptions = {}): AsyncGenerator<OpenOperation, void, undefined> {
    checkOptions('journal.open', openOptions, options);
    for await (const found of this.#own('journal.open', options.olderThan)) yield this.#toOpen(found, true);
  }

  /**
   * Resumes the open operations of `open`, some at a time, and returns what became of them. An operation that another process is sending
   * is left to it, so several processes may call this at once. The error of an operation does not stop the others.
   *
   * @throws ConfigurationError when an option is wrong, or a function fails to give a key. Throws what the store throws while it lists
   * operations, once those that were begun have ended.
   *
   * @example
   * const { failed, unresolved } = await payments.journal.resume({ onProgress: ({ done, total }) => console.log(done, 'of', total) });
   */
  async resume(options: ResumeOptions = {}): Promise<Resumed> {
    checkOptions('journal.resume', resumeOptions, options);
    const { concurrency = 8, onProgress } = options;
    const total = await this.#log.store.count(this.#log.spaces);
    const ends = { resumed: 0, inProgress: 0 };
    const failed: LeftOperation[] = [];
    const unresolved: LeftOperation[] = [];
    let done = 0;
    await forEachAtOnce(concurrency, this.#own('journal.resume'), async (found) => {
      const operation = this.#toOpen(found, false);
      try {
        if (found.leased > 0) throw operationInProgress(found.record, found.leased);
        await operation.resume();
        ends.resumed += 1;
      } catch (error) {
        if (error instanceof OperationInProgressError) ends.inProgress += 1;
        else (error instanceof OperationUnresolvedError ? unresolved : failed).push({ operation, error });
      }
      done += 1;
      const progress = { done, total };
      isolate(() => onProgress?.(progress));
    });
    return { ...ends, failed, unresolved };
  }

  /** Iterates over the open operations of the client's own account, and warns of others. */
  async *#own(caller: string, olderThan = 0): AsyncGenerator<OwnFound, void, undefined> {
    const own = new ClientAccounts(this.#api, this.#securityKey);
    const { now } = this.#log.settings;
    let hidden = 0;
    let unreadable = 0;
    for await (const found of this.#rows()) {
      const { key, row } = found;
      const { record, damage } = row;
      if (record === undefined) unreadable += 1;
      else if (damage === undefined && !isOpenState(record.state)) continue;
      else if (!(await own.has(key.space, record))) hidden += 1;
      // The clock of the process that recorded it may be ahead of this one.
      else if (Math.max(0, now() - record.startedAt) >= olderThan) yield { ...found, record };
    }
    const { observer } = this.#api.connection;
    const facts = { operation: caller, hidden, unreadable };
    if (hidden > 0) {
      const reason = 'that were recorded with other keys, at another base URL or in another mode';
      observer.warn(`${caller}: hides ${hidden} open operations ${reason}`, facts);
    }
    if (unreadable > 0) {
      observer.warn(`${caller}: cannot read ${unreadable} records; calls of their ids throw`, facts);
    }
  }

  /**
   * Counts the open operations of all clients that share the store and the account, for your metrics. Reads none of them, so the
   * count has those too that `open` hides. Throws what the store throws.
   */
  async backlog(): Promise<JournalBacklog> {
    const [backlog, failedOver] = await Promise.all([
      this.#log.store.backlog(this.#log.spaces),
      this.#log.settings.failover.isForgetful(),
    ]);
    return { ...backlog, failedOver };
  }

  /**
   * Accepts the store after a failover or a restored backup, for all processes of the account. Call it once you have compared the calls
   * that it may have forgotten with the service: with `afterFailover: 'refuse'` sales are sent from then on. Throws what the store throws.
   *
   * @throws ConfigurationError if the store does not tell which server it is.
   */
  async acknowledgeFailover(): Promise<void> {
    return this.#log.settings.failover.acknowledge();
  }

  /**
   * Writes the records of the client's own account, as `open` has it, with the first key of `encryptionKey`, open or not, while calls go
   * on. It never overwrites what a call records meanwhile. Run it once all processes write with this key; after that, you can leave the
   * others out. If it ends early, run it again: it skips what is written.
   *
   * @throws ConfigurationError when the store has no `scan` or no `replace`, or a function fails to give a key. Throws what the store
   * throws.
   *
   * @example
   * const { left } = await payments.journal.reencrypt();
   * if (left === 0) console.log('createJournal({ encryptionKey: key }) reads all records');
   */
  async reencrypt(): Promise<Reencrypted> {
    const own = new ClientAccounts(this.#api, this.#securityKey);
    const counts = { done: 0, current: 0, left: 0, others: 0 };
    for (const space of this.#log.spaces) {
      for await (const { key, data } of this.#log.store.texts(space.name)) {
        counts[await this.#rewrite(own, keyIn(space, key), data)] += 1;
      }
    }
    const { done, left, others } = counts;
    return { done, left, others };
  }

  /** Writes a record with the first key, unless that wrote it. If a call writes it meanwhile, tries again with what that wrote. */
  async #rewrite(
    own: ClientAccounts,
    storeKey: StoreKey,
    text: string | undefined,
    tries = 1,
  ): Promise<'done' | 'current' | 'left' | 'others'> {
    const { store, settings } = this.#log;
    const key = textOf(storeKey);
    const { record, damage } = await settings.format.decode(key, text);
    if (record !== undefined && !(await own.has(storeKey.space, record))) return 'others';
    if (damage !== undefined) return 'left';
    const rewritten = record && settings.format.encode(key, record);
    // Without a text it was forgotten meanwhile.
    if (text === undefined || rewritten === undefined || rewritten === text) return 'current';
    if (await store.replace(key, text, rewritten)) return 'done';
    return tries === maxTakeOvers ? 'left' : this.#rewrite(own, storeKey, await store.textAt(key), tries + 1);
  }

  async *#rows(): AsyncGenerator<Found> {
    for (const space of this.#log.spaces) {
      for (let after: OpenClaim | undefined; ; ) {
        const page = await this.#log.store.open({ space: space.name, after, limit: pageSize });
        for (const { key, row, leased } of page) yield { key: keyIn(space, key), row, leased };
        after = page.at(-1);
        if (page.length < pageSize) break;
      }
    }
  }

  /** @param mayTakeOver Whether its `resume` may send it while another process does. */
  #toOpen({ key, row: { damage }, record }: OwnFound, mayTakeOver: boolean): OpenOperation {
    const { operation, operationId, state, startedAt, lookUp, content, withheld } = record;
    return {
      operation,
      operationId,
      lookUp,
      startedAt: new Date(startedAt),
      state: damage !== undefined || !isOpenState(state) ? 'damaged' : state,
      digestOnly: withheld ?? (content === undefined ? 'contents' : undefined),
      resume: async () => {
        const startedAt = this.#log.settings.now();
        if (damage !== undefined) throw operationUnresolved({ operation, startedAt }, damage);
        return this.#resume(key, record, mayTakeOver);
      },
      settle: async (options) => this.#settling.listed(key, operation, options),
    };
  }

  async #resume(storeKey: StoreKey, record: OperationRecord, mayTakeOver: boolean): Promise<unknown> {
    const { operation, method, path, keyed, state, withheld } = record;
    // A planned one was not sent. If another process sends it meanwhile, the claim below decides.
    if ((!keyed && state !== 'planned') || !isHttpMethod(method)) {
      const claim = await ask(record, this.#log.store.openClaim(textOf(storeKey)));
      if (claim?.leased) throw operationInProgress(record, claim.leased);
      throw operationUnresolved(record, claim ? 'sent' : 'nothing to send');
    }
    if (withheld !== undefined) throw operationUnresolved(record, withheld);
    const { query = '', content } = (await this.#log.contents.parametersOf(textOf(storeKey), record)) ?? {};
    const body = content === undefined ? undefined : parseJson(content);
    if (body === undefined && content !== '') throw operationUnresolved(record, 'nothing to send');
    const connection = { ...this.#api.connection, journal: this.#log.within(storeKey.space, mayTakeOver) };
    const { data } = await execute(connection, {
      operation,
      movesMoney: true,
      route: { method, path: undefined, source: 'configured' },
      mustPass: true,
      params: { value: undefined },
      encoding: storedEncoding(path, query, body),
      options: { value: { idempotencyKey: storeKey.key } },
      recordedId: record.operationId,
      optionsSchema: callOptionsSchema,
      secret: { keyOption: 'secretKey', value: this.#api.secretKey },
      // A method returns an object. `payments.request` may return anything.
      returns: this.#api.routes.has(operation) ? returnedAnyObject : returnedBody(),
    });
    return data;
  }

  /**
   * Closes a business operation manually, once you know its outcome. Throws what the store throws.
   *
   * @param operationId The `operationId` of the call, or its `idempotencyKey`.
   * @param options `operation` is the method that was called, for example `transact.sale`.
   * @throws ConfigurationError when an option is wrong, or a function fails to give a key.
   * @throws InvalidRequestError when there is no such operation, it is already closed, another process is sending it, its record is
   * damaged, JSON cannot hold the `result`, the method does not return it, or the outcome is `not_executed`.
   * @throws OperationAccountError when it belongs to another account; nothing was changed.
   */
  async settle(operationId: string, options: SettleOptions & { readonly operation: string }): Promise<void> {
    return this.#settling.byId(operationId, options);
  }
}
