/** Options of `createOrders`: one form for each kind of store, since the store decides how often `onPaid` runs. */

import type { PaymentsClient } from '../../client.ts';
import type { PostgresClient } from '../../stores/postgres/client.ts';
import type { PostgresStore } from '../../stores/postgres/postgres-store.ts';
import type { SqliteDatabase } from '../../stores/sqlite/database.node.ts';
import type { SqliteStore } from '../../stores/sqlite/sqlite-store.node.ts';
import type { Store } from '../../stores/store.ts';
import type { OrderRow, PaidOrder } from './order.ts';

/** What orders need of any store. */
export type OrderStore = Pick<Store<never>, 'load' | 'save' | 'lookUp' | 'due'>;

/** Options of every kind of store. */
interface CommonOrdersOptions {
  /** The client that all calls go through. */
  readonly payments: PaymentsClient;
  /**
   * Names your account and its environment, such as `tea-shop-live`: 1 to 64 letters, digits, `.`, `_` and `-`. Orders of two accounts may
   * share a store. It is part of every record and every idempotency key, so never change it.
   */
  readonly account: string;
  /** Returns the address of an order's page, an absolute URL, where the buyer comes back to from the payment page. */
  readonly page: (id: string) => string;
  /**
   * The currency that the form endpoint charges, a 3-letter code: the interface shows no such parameter, so it is that of your account. Needed
   * only for `sell`.
   */
  readonly saleCurrency?: string | undefined;
  /**
   * Gets a paid checkout session or a chargeback of an event that belongs to no order, for example one that another program of yours made.
   * Default: the handler throws an `OrderError`, `ORDER_UNKNOWN_PAYMENT`, so that the event is delivered again, and stays among the failed ones.
   */
  readonly onUnknown?: ((payment: UnknownPayment) => unknown) | undefined;
  /** Returns the time in ms since 1970. For tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A payment or a chargeback that belongs to no order of the account. */
export type UnknownPayment = {
  /** The type of the event. */
  readonly type: 'checkout.session.completed' | 'chargeback.received';
  /** The id of the session, or of the transaction. */
  readonly reference: string;
};

/** Options with `postgresStore`: `onPaid` takes effect exactly once. */
export interface PostgresOrdersOptions extends CommonOrdersOptions {
  /** The store, in the database that has your table of orders. */
  readonly store: PostgresStore;
  /**
   * Reads the row of an order; `undefined` if there is none.
   *
   * @param client The connection of the transaction in which `onPaid` runs, or else the store's pool. Select the row `FOR UPDATE`, so that
   *   nobody edits it meanwhile.
   */
  readonly order: (id: string, client: PostgresClient) => Promise<OrderRow | undefined>;
  /**
   * Ships an order, or lets something else ship it: changes your tables. It takes effect exactly once, together with the record of it. It may
   * run again only if its transaction was rolled back, so do nothing else in it: a call of `orders` would wait for another connection.
   *
   * @param client The connection of the open transaction.
   */
  readonly onPaid: (order: PaidOrder, client: PostgresClient) => Promise<unknown>;
}

/** What a function may return that must not be async: nothing, or the result of a statement. */
// biome-ignore lint/suspicious/noConfusingVoidType: `undefined` alone would refuse a function without a return type.
type NotAsync = void | { readonly changes: number | bigint; readonly then?: never };

/** Options with `sqliteStore`: `onPaid` takes effect exactly once, if the store is in the database that has your table of orders. */
export interface SqliteOrdersOptions<Database extends SqliteDatabase = SqliteDatabase>
  extends CommonOrdersOptions {
  /** The store, made of your own database: `sqliteStore(database)`. */
  readonly store: SqliteStore<Database>;
  /** Reads the row of an order; `undefined` if there is none. It must not be async. */
  readonly order: (id: string, database: Database) => OrderRow | undefined;
  /**
   * Ships an order, or lets something else ship it: changes your tables in the same database. It takes effect exactly once, together with
   * the record of it. It must not be async: the transaction would end first.
   */
  readonly onPaid: (order: PaidOrder, database: Database) => NotAsync;
}

/** Options with a store that has no transactions: `onPaid` runs at least once. */
export interface OrdersOptions extends CommonOrdersOptions {
  /** The store, such as `redisStore(client)`, or `memoryStore()` for a test. */
  readonly store: OrderStore & {
    /** Must be absent: with it, `onPaid` gets the connection of the transaction. */
    readonly transaction?: undefined;
  };
  /** Reads the row of an order; `undefined` if there is none. */
  readonly order: (id: string) => OrderRow | undefined | Promise<OrderRow | undefined>;
  /** Ships an order, or lets something else ship it. It runs **at least once**: again after a crash, so make it idempotent by the order's id. */
  readonly onPaid: (order: PaidOrder) => unknown;
}

/** Options of any kind. */
export type AnyOrdersOptions = PostgresOrdersOptions | SqliteOrdersOptions | OrdersOptions;
