import { checkOptions } from '../base/check-options.ts';
import { InvalidRequestError } from '../base/errors.ts';
import { parseJson, snapshot } from '../base/json.ts';
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

/** A business operation whose outcome is unknown. */
export interface OpenOperation {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  /** Your own id of the business operation. */
  readonly operationId: string;
  /** `planned`: recorded but not sent. `running`: being sent, or its process died. `unknown`: it may have taken effect. */
  readonly state: 'planned' | 'running' | 'unknown';
  /** When it was first sent, or planned. */
  readonly startedAt: Date;
  /** Fields for looking it up: amount, masked card, `orderid`. Empty for the JSON API. */
  readonly lookUp: Readonly<Record<string, string>>;
  /**
   * Sends the request again with its original idempotency key, without the headers of that call.
   *
   * @returns The response's body, unchecked.
   * @throws OperationUnresolvedError when it must not be retried, or its parameters were not kept or cannot be decrypted.
   */
  resume(): Promise<unknown>;
  /** Closes it manually, once you know its outcome. Throws as `journal.settle` does. */
  settle(options: SettleOptions): Promise<void>;
}

/** Options of `journal.open`. */
export interface OpenOperationsOptions {
  /** Only operations first sent, or planned, at least this long ago, in ms. Default: 0. */
  readonly olderThan?: number | undefined;
}

/** Options for closing a business operation manually. */
export interface SettleOptions {
  /** The outcome: it took effect, or it did not and may be sent again. */
  readonly outcome: 'executed' | 'not_executed';
  /**
   * The result of later calls with the id: the service's object, or the fields of the form response. Default: a later
   * call throws.
   */
  readonly result?: unknown;
}

/** Options of `journal.plan`. */
export interface PlanOptions {
  /**
   * A connection to the database of `postgresStore`, with your open transaction. Default: each operation is recorded
   * immediately.
   */
  readonly client?: PostgresClient | undefined;
}

const planOptions = optionsOf<PlanOptions>({ client: unchecked() });
const openOptions = optionsOf<OpenOperationsOptions>({ olderThan: s.optional(timeFrom(0)) });
const settleFields = {
  outcome: s.literal(['executed', 'not_executed']),
  result: s.optional(s.unknown()),
};
const settleOptions = optionsOf<SettleOptions>(settleFields);
const settleByIdOptions = optionsOf<SettleOptions & { readonly operation: string }>({
  operation: s.string(),
  ...settleFields,
});

/** What an idempotency key looks like. */
const keyPattern = /^[ -~]{1,255}$/;

/** How many operations are read per page. */
const pageSize = 100;

/**
 * `payments.journal`: the recorded business operations of a client. It lists each one that may have moved money, until its
 * outcome is known.
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
    const { connection } = this.#api;
    const journal = new PlanningJournal(this.#log, options.client);
    return plannedCalls(new Collections({ ...this.#api, connection: { ...connection, journal } }));
  }

  /**
   * Iterates over the business operations whose outcome is unknown, including those that other processes are sending. Throws
   * what the store throws.
   *
   * @throws ConfigurationError when an option is wrong.
   */
  async *open(options: OpenOperationsOptions = {}): AsyncGenerator<OpenOperation, void, undefined> {
    checkOptions('journal.open', openOptions, options);
    const { store, settings } = this.#log;
    for (let after: string | undefined; ; ) {
      const page = await store.open({ prefix: keyPrefix, after, limit: pageSize });
      for (const { key, data } of page) {
        const record = decodeRecord(data);
        if (record === undefined) continue;
        // The clock of the process that recorded it may be ahead of this one.
        const age = Math.max(0, settings.now() - record.startedAt);
        if (age >= (options.olderThan ?? 0)) yield* this.#toOpen(key, record);
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
      settle: async (options) => this.#settle(key, copySettleOptions('settle', settleOptions, options)),
    };
  }

  async #resume(key: string, record: OperationRecord): Promise<unknown> {
    const { operation, method, path, keyed, state } = record;
    // A planned one was not sent. If another process sends it meanwhile, the claim below refuses it.
    if ((!keyed && state !== 'planned') || !isHttpMethod(method))
      throw new OperationUnresolvedError(record, 'sent');
    const { query = '', content } = (await this.#log.parametersOf(record)) ?? {};
    const body = content === undefined ? undefined : parseJson(content);
    if (body === undefined && content !== '') throw new OperationUnresolvedError(record, 'no parameters');
    const idempotencyKey = key.slice(keyPrefix.length);
    return repeatRaw(this.#api, { operation, method, path, query, body, idempotencyKey });
  }

  /**
   * Closes a business operation manually, once you know its outcome. Throws what the store throws.
   *
   * @param operationId The `operationId` of the call, or its `idempotencyKey`.
   * @param options `operation` is the method that was called, for example `transact.sale`.
   * @throws ConfigurationError when an option is wrong.
   * @throws InvalidRequestError when there is no such operation, it is already closed, another process is sending it, or JSON
   * cannot hold the `result`.
   */
  async settle(operationId: string, options: SettleOptions & { readonly operation: string }): Promise<void> {
    const { operation, ...how } = copySettleOptions('journal.settle', settleByIdOptions, options);
    const derived = keyPrefix + deriveIdempotencyKey(operation, operationId);
    const given = keyPrefix + operationId;
    const isGivenOpen = keyPattern.test(operationId) && (await this.#isOpen(given, operation));
    // The two are different operations, and a wrong choice could repeat a payment.
    if (isGivenOpen && (await this.#isOpen(derived, operation))) throw notOpen('ambiguous');
    await this.#settle(isGivenOpen ? given : derived, how);
  }

  /** Returns whether an operation of this method is open under a key. */
  async #isOpen(key: string, operation: string): Promise<boolean> {
    const [first] = await this.#log.store.open({ prefix: key, limit: 1 });
    return first?.key === key && decodeRecord(first.data)?.operation === operation;
  }

  async #settle(key: string, { outcome, result }: SettleOptions): Promise<void> {
    // Before the claim: a failure after it would keep the operation locked until the lease expires.
    const kept = await this.#kept(result);
    const claim = await this.#log.store.claim(key, { lease: leaseMargin });
    if (claim.status !== 'claimed') throw notOpen(claim.status);
    const { hold } = claim;
    if (hold.record === undefined) {
      await hold.complete();
      throw notOpen('none');
    }
    const isHeld =
      outcome === 'not_executed'
        ? await hold.release({ ...hold.record, state: 'refused', isPlanned: undefined })
        : await hold.complete({ ...hold.record, state: 'settled', ...kept });
    if (!isHeld) throw notOpen('in_progress');
  }

  async #kept(result: unknown): Promise<Pick<OperationRecord, 'status' | 'result'>> {
    if (result === undefined) return {};
    return { status: 200, result: await this.#log.settings.cipher.encrypt(JSON.stringify(result)) };
  }
}

/**
 * Returns a copy of the options, which alone is checked and kept.
 *
 * @throws ConfigurationError when an option is wrong.
 * @throws InvalidRequestError for a value that JSON cannot hold.
 */
function copySettleOptions<Options extends SettleOptions>(
  name: string,
  schema: s.Schema<Options>,
  options: unknown,
): Options {
  const copied = snapshot(options);
  if ('issue' in copied) {
    throw new InvalidRequestError('journal.settle', [copied.issue], 'Nothing was changed.');
  }
  const { value } = copied;
  checkOptions(name, schema, value);
  return value;
}

const found = {
  none: 'none',
  in_progress: 'one that is still being sent',
  completed: 'one that is already closed',
  ambiguous: 'two: one by operationId, one by idempotencyKey',
};

function notOpen(status: keyof typeof found): InvalidRequestError {
  const expected = 'an open operation';
  const issue = { path: 'operationId', expected, received: found[status] };
  return new InvalidRequestError(
    'journal.settle',
    [issue],
    'Nothing was changed: journal.open() lists the open operations, each with its own settle.',
  );
}
