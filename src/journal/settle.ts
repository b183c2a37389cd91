/** Closes operations manually, and checks a result that is given by hand before a later call returns it. */

import { type InvalidRequestError, invalidRequest, type PaymentsError } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import { snapshot } from '../base/json.ts';
import type { Inline } from '../base/runtime/runtime.ts';
import { checkOptions, nonBlank, optionsOf } from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import type { Delivered } from '../http/api-promise.ts';
import type { Returns } from '../http/call.ts';
import type { Api } from '../http/execute.ts';
import { deriveIdempotencyKey } from '../http/request/idempotency.ts';
import type { Secret } from '../http/request/secret.ts';
import { returnedAnyObject, returnedBody } from '../http/response.ts';
import type { ReceivedResponse } from '../http/transport/transport.ts';
import { Collections } from '../resources/collections.ts';
import { ReturnedTransaction } from '../transact/returned-transaction.ts';
import { ClientAccounts, type KeySpace, type StoreKey, textOf } from './account.ts';
import { otherAccount } from './errors.ts';
import type { OperationLog } from './operation-log.ts';
import { asRefused } from './record.ts';
import { responseOf, settledStatus } from './record-contents.ts';
import { type Claim, leaseMargin } from './store/operation-store.ts';

/** Options for closing a business operation manually. */
export type SettleOptions = Inline<{
  /** The outcome: it took effect, or it did not and may be sent again. */
  readonly outcome: 'executed' | 'not_executed';
  /**
   * The result of later calls with the id, if it was executed: the service's whole object, or the fields of the form response.
   * Checked as a response of the method is. Default: a later call throws.
   */
  readonly result?: unknown;
}>;

const settleFields = () => ({
  outcome: s.literal(['executed', 'not_executed']),
  result: s.optional(s.unknown()),
});
const settleOptions = /* @__PURE__ */ optionsOf<SettleOptions>(settleFields);
const ownId = /* @__PURE__ */ s.lazily(nonBlank);
const settleByIdOptions = /* @__PURE__ */ optionsOf<SettleOptions & { readonly operation: string }>(() => ({
  operation: ownId,
  ...settleFields(),
}));

/** What an idempotency key looks like. */
const keyPattern = /^[ -~]{1,255}$/;

/** Closes operations of a client manually. */
export class Settling {
  readonly #log: OperationLog;
  readonly #api: Api;
  readonly #securityKey: Secret | undefined;

  constructor(log: OperationLog, api: Api, securityKey: Secret | undefined) {
    this.#log = log;
    this.#api = api;
    this.#securityKey = securityKey;
  }

  /** Closes an operation by its id. Throws as `journal.settle` does. */
  async byId(operationId: string, options: SettleOptions & { readonly operation: string }): Promise<void> {
    const { operation, ...how } = copySettleOptions(
      'journal.settle',
      settleByIdOptions,
      options,
      "journal.settle(operationId, { operation: 'transact.sale', outcome: 'executed' })",
    );
    checkOptions('journal.settle.operationId', ownId, operationId, 'Pass the id of the operation.');
    const derived = deriveIdempotencyKey(operation, operationId, this.#api.connection.operationScope);
    const own = new ClientAccounts(this.#api, this.#securityKey);
    const given = keyPattern.test(operationId) ? await this.#openKey(operationId, operation, own) : undefined;
    // The two are different operations, and a wrong choice could repeat a payment.
    if (given !== undefined && (await this.#openKey(derived, operation, own)) !== undefined)
      throw notOpen('ambiguous');
    await this.#settle(given ?? (await this.#log.keyOf(derived)), operation, how);
  }

  /** Closes an operation that was listed. Throws as `journal.settle` does. */
  listed(key: StoreKey, operation: string, options: SettleOptions): Promise<void> {
    const how = copySettleOptions('settle', settleOptions, options, "settle({ outcome: 'executed' })");
    return this.#settle(key, operation, how);
  }

  /** Returns where an operation of this method and this account is open; `undefined` if it is not. */
  async #openKey(key: string, operation: string, own: ClientAccounts): Promise<StoreKey | undefined> {
    for (const space of this.#log.spaces) {
      const { record } = await this.#log.store.openRow(textOf({ space, key }));
      if (record?.operation === operation && (await own.has(space, record))) return { space, key };
    }
    return undefined;
  }

  async #settle(key: StoreKey, operation: string, { outcome, result }: SettleOptions): Promise<void> {
    // Before the claim: a failure after it would keep the operation locked until the lease expires.
    const text = result === undefined ? undefined : JSON.stringify(result);
    if (text !== undefined && outcome === 'not_executed')
      throw wrongResult('nothing, since it was not executed', result);
    if (text !== undefined && !isReturnedBy(this.#api, operation, responseOf(settledStatus, text)))
      throw wrongResult(`what ${operation} returns`, result);
    const claim = await this.#log.store.claim(key, { lease: leaseMargin });
    const { record } = claim.row;
    const refusal = await this.#refusalOf(key.space, operation, claim);
    if (claim.status !== 'claimed' || refusal !== undefined || record === undefined) {
      if (claim.status === 'claimed') await claim.hold.giveBack();
      throw refusal ?? notOpen(claim.status === 'claimed' ? 'none' : claim.status);
    }
    const { hold } = claim;
    const isHeld =
      outcome === 'not_executed'
        ? await hold.release(asRefused(record))
        : await hold.complete(await this.#log.contents.settled(hold.key, record, text));
    if (!isHeld) throw notOpen('in_progress');
  }

  /** Returns why an operation must not be settled, whatever its state is; `undefined` if it may. */
  async #refusalOf(space: KeySpace, operation: string, { row }: Claim): Promise<PaymentsError | undefined> {
    if (row.damage !== undefined) return notOpen('damaged');
    const { record } = row;
    if (record === undefined) return undefined;
    const own = new ClientAccounts(this.#api, this.#securityKey);
    const difference = await own.difference(space, record);
    return difference && otherAccount({ operation }, difference);
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
  form: string,
): Options {
  const copied = snapshot(options);
  if ('issue' in copied) {
    throw invalidRequest('journal.settle', [copied.issue], 'Nothing was changed.');
  }
  const { value } = copied;
  checkOptions(name, schema, value, `Write ${form}.`);
  return value;
}

function wrongResult(expected: string, result: unknown): InvalidRequestError {
  const advice = "Nothing was changed: pass the service's whole response, or leave out the result.";
  return invalidRequest('journal.settle', [issueAt('result', expected, result)], advice);
}

const found = {
  none: 'none',
  in_progress: 'one that is still being sent',
  completed: 'one that is already closed',
  damaged: 'one whose record is damaged, or was written with a key that encryptionKey lacks',
  ambiguous: 'two: one by operationId, one by idempotencyKey',
};

function notOpen(status: keyof typeof found): InvalidRequestError {
  const expected = 'an open operation';
  const issue = { path: 'operationId', expected, received: found[status] };
  return invalidRequest(
    'journal.settle',
    [issue],
    'Nothing was changed: journal.open() lists the open operations, each with its own settle.',
  );
}

/** Ends a call that was only described. */
function notSent(): Promise<Delivered<never>> {
  return Promise.reject(new Error('This call is never sent.'));
}

/** Returns what a method of a collection returns, which only its call describes. */
function describedReturns(api: Api, operation: string): Returns<unknown> {
  let returns: Returns<unknown> = returnedAnyObject;
  const collections = new Collections({
    ...api,
    execute: (_, description) => {
      returns = description.returns;
      return notSent();
    },
  });
  const [name = '', method = ''] = operation.split('.');
  const collection = Reflect.get(collections, name);
  const call: Promise<unknown> = Reflect.apply(Reflect.get(collection, method), collection, []);
  call.catch(() => undefined);
  return returns;
}

/** Whether a later call of an operation would accept this response as its result. */
function isReturnedBy(api: Api, operation: string, response: ReceivedResponse): boolean {
  const { connection } = api;
  const judges = (returns: Pick<Returns<unknown>, 'judge'>) => {
    const verdict = returns.judge(response, connection);
    return verdict !== 'refused' && verdict !== 'unknown';
  };
  if (operation.startsWith('transact.')) return judges(new ReturnedTransaction(false));
  // `payments.request` may return anything.
  if (!api.routes.has(operation)) return judges(returnedBody());
  return judges(returnedAnyObject) && judges(describedReturns(api, operation));
}
