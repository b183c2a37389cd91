import { checkOptions } from '../base/check-options.ts';
import { InvalidRequestError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { optionsOf, timeFrom, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import type { Api } from '../http/api.ts';
import { deriveIdempotencyKey } from '../http/idempotency.ts';
import { repeatRaw } from '../http/raw-request.ts';
import { isHttpMethod } from '../http/route.ts';
import { Collections } from '../resources/collections.ts';
import type { PostgresClient } from '../stores/postgres-client.ts';
import { OperationUnresolvedError } from './errors.ts';
import { keyPrefix, type OperationLog } from './operation-log.ts';
import { leaseMargin } from './operation-store.ts';
import { type PlannedCalls, PlanningJournal, plannedCalls } from './planned-calls.ts';
import { decodeRecord, type OperationRecord } from './record.ts';

/** An operation without a known end. */
export interface OpenOperation {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  /** Your own id of it. */
  readonly operationId: string;
  /**
   * `planned`: it is written down, and nothing of it took effect. `running`: it is being sent, or its process died. `unknown`: it may have
   * taken effect.
   */
  readonly state: 'planned' | 'running' | 'unknown';
  /** When it was first sent, or planned. */
  readonly startedAt: Date;
  /** What helps to look it up: amount, masked card, `orderid`. Empty for calls that can be repeated. */
  readonly lookUp: Readonly<Record<string, string>>;
  /**
   * Sends the request, with the same key as before.
   *
   * @returns The response's body, unchecked.
   * @throws OperationUnresolvedError when it must not be repeated, or its parameters were not kept.
   */
  resume(): Promise<unknown>;
  /** Closes it by hand, once you know what became of it. */
  settle(options: SettleOptions): Promise<void>;
}

/** Which operations to look for. */
export interface OpenOperationsOptions {
  /** Only those that were first sent, or planned, at least so many ms ago. Default: 0. */
  readonly olderThan?: number | undefined;
}

/** How an operation is closed by hand. */
export interface SettleOptions {
  /** What you found out: it took effect, or it did not, so that it may be sent again. */
  readonly outcome: 'executed' | 'not_executed';
  /** What a later call with the id returns: the object of the service, or the fields of the form's response. Default: a later call throws. */
  readonly result?: unknown;
}

/** How operations are planned. */
export interface PlanOptions {
  /** A connection to the database of `postgresStore`, with your open transaction. Default: each operation is written down at once. */
  readonly client?: PostgresClient | undefined;
}

const planOptions = optionsOf<PlanOptions>({ client: unchecked() });
const openOptions = optionsOf<OpenOperationsOptions>({ olderThan: s.optional(timeFrom(0)) });
const settleOptions = optionsOf<SettleOptions & { readonly operation: string }>({
  operation: s.string(),
  outcome: s.literal(['executed', 'not_executed']),
  result: s.optional(s.unknown()),
});

/** How many operations are read at once. */
const pageSize = 100;

/**
 * `payments.journal`: the operations that a client wrote down. Money that may have moved is here until its end is known.
 *
 * @example
 * for await (const operation of payments.journal.open({ olderThan: 60_000 })) await operation.resume();
 */
export class Journal {
  readonly #log: OperationLog;
  readonly #api: Api;

  /** @internal */
  constructor(log: OperationLog, api: Api) {
    this.#log = log;
    this.#api = api;
  }

  /**
   * Writes operations down without sending them: with your own transaction, an order and its payment are committed together, or neither is.
   * Call the same methods as on the client; a call of a method with the same id, or `resume`, sends the operation later.
   *
   * It checks the parameters as the method does. An operation that is written down already stays as it is.
   *
   * @throws ConfigurationError when the store has no transactions and gets a `client`, or the journal keeps digests alone.
   *
   * @example
   * await connection.query('BEGIN');
   * await connection.query('INSERT INTO returns (id, charge) VALUES ($1, $2)', ['return-77', charge.id]);
   * await payments.journal.plan({ client: connection }).refunds.create({ charge_id: charge.id }, { operationId: 'return-77' });
   * await connection.query('COMMIT');
   */
  plan(options: PlanOptions = {}): PlannedCalls {
    checkOptions('journal.plan', planOptions, options);
    const { connection } = this.#api;
    const journal = new PlanningJournal(this.#log, options.client);
    return plannedCalls(new Collections({ ...this.#api, connection: { ...connection, journal } }));
  }

  /** Iterates over the operations without a known end, those that other processes are sending included. */
  async *open(options: OpenOperationsOptions = {}): AsyncGenerator<OpenOperation, void, undefined> {
    checkOptions('journal.open', openOptions, options);
    const { store, settings } = this.#log;
    for (let after: string | undefined; ; ) {
      const page = await store.open({ prefix: keyPrefix, after, limit: pageSize });
      for (const { key, data } of page) {
        const record = decodeRecord(data);
        if (record === undefined || settings.now() - record.startedAt < (options.olderThan ?? 0)) continue;
        yield* this.#toOpen(key, record);
      }
      after = page.at(-1)?.key;
      if (page.length < pageSize) return;
    }
  }

  *#toOpen(key: string, record: OperationRecord): Generator<OpenOperation> {
    const { state, operation, operationId, startedAt, lookUp = {} } = record;
    if (state !== 'planned' && state !== 'running' && state !== 'unknown') return;
    yield {
      ...{ operation, operationId, state, lookUp, startedAt: new Date(startedAt) },
      resume: () => this.#resume(key, record),
      settle: (options) => this.#settle(key, options),
    };
  }

  async #resume(key: string, record: OperationRecord): Promise<unknown> {
    const { operation, path, keyed, content } = record;
    const text = content === undefined ? undefined : await this.#log.settings.cipher.decrypt(content);
    if (text === undefined || !keyed || !isHttpMethod(record.method)) {
      throw new OperationUnresolvedError(record, new Date(record.startedAt), record.lookUp ?? {});
    }
    const body = text === '' ? undefined : parseJson(text);
    const idempotencyKey = key.slice(keyPrefix.length);
    return repeatRaw(this.#api, { operation, method: record.method, path, body, idempotencyKey });
  }

  /**
   * Closes an operation by hand, once you know what became of it.
   *
   * @param options `operation` is the method that was called, for example `transact.sale`.
   * @throws InvalidRequestError when there is no such operation, it has an end already, or another process is sending it.
   */
  async settle(operationId: string, options: SettleOptions & { readonly operation: string }): Promise<void> {
    checkOptions('journal.settle', settleOptions, options);
    const { operation, ...how } = options;
    await this.#settle(keyPrefix + deriveIdempotencyKey(operation, operationId), how);
  }

  async #settle(key: string, { outcome, result }: SettleOptions): Promise<void> {
    const claim = await this.#log.store.claim(key, { lease: leaseMargin });
    if (claim.status !== 'claimed') throw notOpen(claim.status);
    const { hold } = claim;
    if (hold.record === undefined) {
      await hold.complete();
      throw notOpen('claimed');
    }
    const isHeld =
      outcome === 'not_executed'
        ? await hold.release({ ...hold.record, state: 'refused', isPlanned: undefined })
        : await hold.complete({ ...hold.record, state: 'settled', ...(await this.#kept(result)) });
    if (!isHeld) throw notOpen('in_progress');
  }

  async #kept(result: unknown): Promise<Pick<OperationRecord, 'status' | 'result'>> {
    if (result === undefined) return {};
    return { status: 200, result: await this.#log.settings.cipher.encrypt(JSON.stringify(result)) };
  }
}

const found = { claimed: 'none', in_progress: 'one that is being sent', completed: 'one with an end' };

function notOpen(status: keyof typeof found): InvalidRequestError {
  const expected = 'an operation without a known end';
  const issue = { path: 'operationId', expected, received: found[status] };
  return new InvalidRequestError('journal.settle', [issue], 'Nothing was changed.');
}
