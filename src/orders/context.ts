/** What every step of an order needs: the options, and the one place that knows the kinds of stores. */

import { refuse } from '../base/errors.ts';
import { isThenable } from '../base/functions.ts';
import { isRecord } from '../base/json.ts';
import type { PaymentsClient } from '../client.ts';
import type { DocumentIndex, KeptDocument } from '../stores/store.ts';
import type { Terms } from './record/steps.ts';
import { rowNamed } from './row.ts';
import type { AnyOrdersOptions, OrderStore, UnknownPayment } from './types/options.ts';
import type { OrderRow, PaidOrder } from './types/order.ts';

/** A value, or the promise of one: what SQLite does in a transaction must not wait. */
export type Maybe<Value> = Value | PromiseLike<Value>;

const isLater = <Value>(value: Maybe<Value>): value is PromiseLike<Value> => isThenable(value);

/** Goes on with a value as soon as it is there: at once if it is no promise. */
export function whenReady<Value, Result>(
  value: Maybe<Value>,
  next: (value: Value) => Maybe<Result>,
): Maybe<Result> {
  if (!isLater(value)) return next(value);
  return value instanceof Promise ? value.then(next) : onceAwaited(() => Promise.resolve(value).then(next));
}

/** Puts off work until somebody waits for it: a query builder runs then, and one that is refused never does. */
export function onceAwaited<Value>(run: () => PromiseLike<Value>): PromiseLike<Value> {
  // oxlint-disable-next-line unicorn/no-thenable -- it is lazy, as what it stands for
  return { then: (onValue, onError) => run().then(onValue, onError) };
}

/** The documents of a store, in a transaction or not. */
interface Documents {
  load(key: string): Maybe<KeptDocument | undefined>;
  save(key: string, version: number, data: string, index: DocumentIndex): Maybe<boolean>;
}

/** What belongs together: in one transaction, if the store has them. */
export interface Unit {
  readonly documents: Documents;
  /** Reads a row of the merchant. */
  row(id: string): Maybe<OrderRow | undefined>;
  /** Runs `onPaid` in the same transaction; absent if the store has none. */
  readonly ship: ((order: PaidOrder) => Maybe<unknown>) | undefined;
}

/** What every step needs. */
export interface Context {
  readonly payments: PaymentsClient;
  readonly store: OrderStore;
  /** The part of all keys of the account before the first `/`. */
  readonly space: string;
  readonly page: (id: string) => string;
  readonly saleCurrency: string | undefined;
  readonly onUnknown: ((payment: UnknownPayment) => unknown) | undefined;
  /** Returns what decides now whether a step may be taken. */
  terms(): Terms;
  /** Reads a row of the merchant outside a transaction. */
  row(id: string): Promise<OrderRow | undefined>;
  /** Runs `onPaid` outside a transaction. */
  ship(order: PaidOrder): Promise<unknown>;
  /** Runs what belongs together. */
  inUnit<Result>(run: (unit: Unit) => Maybe<Result>): Promise<Result>;
}

/** The options as they are whatever the store: the types of each kind say what the merchant's functions get and return. */
interface LooseOptions {
  readonly order: (id: string, client: unknown) => Maybe<OrderRow | undefined>;
  readonly onPaid: (order: PaidOrder, client: unknown) => Maybe<unknown>;
  readonly store: OrderStore & {
    readonly client?: unknown;
    readonly transaction?: <Result>(
      run: (client: unknown, documents: Documents) => Maybe<Result>,
    ) => Promise<Result>;
  };
}

const isSqlite = ({ client }: LooseOptions['store']) =>
  isRecord(client) && typeof client['prepare'] === 'function';

/** @throws ConfigurationError for an async function: what it does after its first `await` would be done outside the transaction. */
function refuseAsync(name: string, call: unknown): void {
  if (Object.prototype.toString.call(call) !== '[object AsyncFunction]') return;
  const expected = 'a function that is not async: the transaction would end first';
  refuse([{ path: `createOrders.${name}`, expected, received: 'an async function' }], 'Nothing was sent.');
}

/** @throws ConfigurationError for a promise: its transaction would end first. */
function refusePromise<Result>(name: string, result: Result): Result {
  if (!isThenable(result)) return result;
  // A query builder runs only if somebody waits for it.
  if (result instanceof Promise) result.catch(() => undefined);
  const expected = 'no promise: the transaction would end first';
  return refuse(
    [{ path: `createOrders.${name}`, expected, received: 'a promise' }],
    'Return the value itself.',
  );
}

/** Returns what every step needs. */
export function orderContext(options: AnyOrdersOptions): Context {
  const { payments, account, page, saleCurrency, onUnknown, now = Date.now } = options;
  // One implementation serves the three kinds, which the compiler checks where the options are given.
  const { order, onPaid, store } = options as unknown as LooseOptions;
  const isSync = isSqlite(store);
  if (isSync) for (const [name, call] of Object.entries({ order, onPaid })) refuseAsync(name, call);
  const checked = <Result>(name: string, result: Result) => (isSync ? refusePromise(name, result) : result);
  const row = (id: string, client: unknown) =>
    whenReady(checked('order', order(id, client)), (found) =>
      found === undefined || found === null ? undefined : rowNamed(found, id),
    );
  const { transaction } = store;
  return {
    payments,
    store,
    space: `orders:${account}`,
    page,
    saleCurrency: saleCurrency?.toUpperCase(),
    onUnknown,
    // A store takes whole ms.
    terms: () => ({ now: Math.floor(now()), keyLifetime: payments.settings.keyLifetime }),
    row: async (id) => row(id, store.client),
    ship: async (paid) => onPaid(paid, undefined),
    inUnit: async (run) => {
      if (transaction === undefined)
        return run({ documents: store, row: (id) => row(id, undefined), ship: undefined });
      return transaction((client, documents) =>
        run({
          documents,
          row: (id) => row(id, client),
          ship: (paid) => checked('onPaid', onPaid(paid, client)),
        }),
      );
    },
  };
}
