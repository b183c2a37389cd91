import type { IdInput } from '../../resources/fields/ids.ts';
import type { ValidateParams } from '../../transact/params.ts';
import type { TransactRequestOptions } from '../../transact/transact.ts';
import type { WebhookEventMap } from '../../webhooks/events/event.ts';
import type { Money } from './money.ts';
import type { CardPayment, Checkout, OrderName, OrderView } from './order.ts';

/** How a card is charged. */
export interface CardOptions {
  /** What the buyer agreed to pay. If another amount is due, since the row was edited, nothing is sent. Default: whatever is due. */
  readonly due?: Money | undefined;
  /** Whether to capture the money at once. If false, `capture` takes it later (*inferred*). Default: true. */
  readonly capture?: boolean | undefined;
}

/**
 * The card and the buyer of a sale: the parameters of `transact.sale` without the amount and the currency, which the order has. Default of
 * `orderid`, by which a person looks a sale up: the order's id.
 */
export type SaleInput = ValidateParams & {
  /** Must be absent: the order has it. */
  readonly amount?: undefined;
  /** Must be absent: the order has it. */
  readonly currency?: undefined;
};

/** How a sale is made. */
export type SellOptions = CardOptions &
  Pick<TransactRequestOptions, 'allowFailedAuthentication' | 'allowUnavailableAuthentication'>;

/** How much to give back. */
export type ReturnedMoney = Money & {
  /** Your own id of the return, such as `return-1`. The same id is the same return, whatever happens in between. */
  readonly id: string;
};

/** Orders that `resume` could not continue. */
export interface FailedOrder {
  /** Your id of the order. */
  readonly id: string;
  /** Why. */
  readonly error: unknown;
}

type HandledType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'payment_intent.succeeded'
  | 'payment_intent.canceled'
  | 'refund.created'
  | 'refund.succeeded'
  | 'refund.failed'
  | 'refund.settled'
  | 'chargeback.received';

/** Handlers for `receiver({ on: orders.on })`. */
export type OrderHandlers = {
  readonly [Type in HandledType]: (event: WebhookEventMap[Type]) => Promise<void>;
};

/**
 * What has been paid for the orders of an account. Every method may be called at any time, by any process, any number of times: nothing is charged
 * or given back twice. An error of the client passes unchanged: call again. Each rejects with an `OrderError`, `ORDER_NOT_FOUND`, for an id that
 * `order` does not find or a view of which nothing is recorded, and with a `ConfigurationError` for a wrong argument or row.
 */
export interface Orders {
  /**
   * Finds the page where the buyer pays what is due, or makes one. Pages of other amounts are closed. A free order is paid at once.
   *
   * @throws OrderError `ORDER_AMOUNT` when the service asks for another amount; the page was closed.
   */
  checkout(id: string): Promise<Checkout>;
  /**
   * Charges a stored payment method for what is due, by one intent for an amount (*inferred* parameters). While the outcome of a card is not
   * known, a call repeats that card, whatever card it names.
   *
   * @throws OrderError `ORDER_CHANGED` when another amount is due than `due` says; nothing was sent.
   */
  charge(id: string, paymentMethod: IdInput<'payment_method'>, options?: CardOptions): Promise<CardPayment>;
  /**
   * Charges a card or a token for what is due, by the form endpoint, which has no idempotency keys. If the outcome is not known, the order is
   * `in_progress`, and has a need, until `resolve`.
   *
   * @throws OrderError `ORDER_AMOUNT` when the order is not in `saleCurrency`, `ORDER_CHANGED` when another amount is due than `due` says; nothing
   *   was sent.
   */
  sell(id: string, card: SaleInput, options?: SellOptions): Promise<CardPayment>;
  /**
   * Takes authorized money: as much of it as is due (*inferred*).
   *
   * @throws OrderError `ORDER_NOTHING_OPEN` when something is due, and nothing is authorized.
   */
  capture(id: string): Promise<CardPayment>;
  /**
   * Gives money of a paid order back, of its oldest payment first.
   *
   * @throws OrderError `ORDER_REFUND_REFUSED` when it is more than `refundable`, in another currency, or another amount than before with this id;
   *   nothing was sent.
   */
  refund(order: OrderName, returned: ReturnedMoney): Promise<OrderView>;
  /**
   * Gives back again what failed of a return or of what was too much, by a new refund.
   *
   * @param returnId The `id` of the refund in a view.
   * @throws OrderError `ORDER_NOTHING_OPEN` when nothing of it failed; `ORDER_REFUND_REFUSED` when so much is no longer left.
   */
  retryRefund(order: OrderName, returnId: string): Promise<OrderView>;
  /** Ends an order, unless it is paid: authorizations are voided, and what was paid, or will be, goes back. A paid order does not change. */
  cancel(order: OrderName): Promise<OrderView>;
  /** Returns what is recorded of an order. Asks only your tables and the store. */
  get(order: OrderName): Promise<OrderView>;
  /** Asks the service for news of an order, and does what follows. For the page to which the buyer comes back. */
  refresh(order: OrderName): Promise<OrderView>;
  /**
   * Takes what a person found out about a need.
   *
   * @param operation The `operation` of the need: each names one question.
   * @param found The id of the transaction or the refund that the person found, of held money its `reference`; null if there is none. Of a
   *   chargeback: its own id if it was lost, null if it was won. Of a failed refund: the id of what was given back in another way, null if
   *   nothing will be.
   * @throws OrderError `ORDER_NOTHING_OPEN` when no need has this operation, `ORDER_MISMATCH` for the id of another payment, refund or amount;
   *   nothing was changed.
   */
  resolve(order: OrderName, operation: string, found: string | null): Promise<OrderView>;
  /**
   * Continues what a crash or an error left, and asks for news that no event brought. Run it every few minutes, in one process or several. It
   * asks less and less often for what does not change, and backs off from an order that fails.
   *
   * @param options `limit` is the largest number of orders, the longest due first. Default: 1000.
   * @returns The orders that failed, for your log. They are tried again.
   */
  resume(options?: { readonly limit?: number | undefined }): Promise<readonly FailedOrder[]>;
  /**
   * Iterates over the orders that need a person. Reads each order that is still looked at, in the store alone.
   *
   * @example
   * for await (const order of orders.needs()) console.log(order.id, order.needs);
   */
  needs(): AsyncIterable<OrderView>;
  /** Handlers for `receiver({ on: orders.on })`. Each event may come late, twice, or in any order. */
  readonly on: OrderHandlers;
}
