/** What an order is to the caller: its row, and what has been paid for it. */

import type { Inline } from '../../base/runtime/runtime.ts';
import type { Id, IdInput } from '../../resources/fields/ids.ts';
import type { Money } from './money.ts';

/** What is sold. */
export interface OrderLine {
  /** The name of the item, as the payment page shows it. */
  readonly name: string;
  /** The price of one item, in minor units, an integer from 0. */
  readonly amount: number;
  /** How many, an integer from 1. */
  readonly quantity: number;
}

/** The row of an order in your own tables, as far as its payment depends on it. */
export interface OrderRow {
  /**
   * The id in the row. Return it if your database finds a row by several spellings of its id, as an integer column finds 42 by `'0042'`, and one of
   * UUIDs by capitals: under another spelling than this one there is no such order, and it is not paid twice. Default: the id that was asked for.
   */
  readonly id?: string | number | bigint | undefined;
  /**
   * When the row was inserted: a `Date`, a number, or a text of at most 64 ASCII characters without `@`. It is the same at each read. An id that
   * is issued again, as after a restored backup, is another order with another time.
   */
  readonly createdAt: Date | number | string;
  /** The currency of all lines, a 3-letter code in either case. */
  readonly currency: string;
  /** What is sold. Their sum is what the order costs. If it is 0, the order is paid. */
  readonly lines: readonly OrderLine[];
  /** The buyer's customer id, which new payments get (*inferred* as a parameter). Null, as of an empty column, is none. Default: none. */
  readonly customer?: IdInput<'customer'> | null | undefined;
}

/** An order that has been paid in full. */
export interface PaidOrder {
  /** Your id of the order. */
  readonly id: string;
  /** What it cost: the sum of its lines. It no longer changes. */
  readonly total: Money;
}

/** An order that nobody has to pay now. */
type Closed = Inline<{
  /**
   * `paid`: it has been paid in full. `canceled`: what was paid, or will be, goes back. `in_progress`: the outcome of a payment is not known
   * yet, so another one could charge twice.
   */
  readonly state: 'paid' | 'canceled' | 'in_progress';
}>;

/** Where the buyer pays. `url` exists only while something is due. */
export type Checkout =
  | Closed
  | Inline<{
      /** The buyer has to pay. */
      readonly state: 'open';
      /** The address of the payment page: redirect the buyer to it. */
      readonly url: string;
      /** The id of its checkout session. */
      readonly session: Id<'checkout_session'>;
      /** What the page asks for. */
      readonly due: Money;
    }>;

/** What became of a card payment. */
export type CardPayment =
  | Closed
  | Inline<{
      /** `part_paid`: money came, but the row was edited meanwhile, so a rest is due. `authorized`: the money waits for `capture`. */
      readonly state: 'part_paid' | 'authorized';
    }>
  | Inline<{
      /** The card was declined, or its 3-D Secure authentication was no success. Another card may be tried. */
      readonly state: 'declined';
      /** The service's reason; null if it gave none. Do not show it to the buyer. */
      readonly reason: string | null;
    }>
  | Inline<{
      /** The buyer has to authenticate in the browser. Then call `refresh`. The service does not send it in v1. */
      readonly state: 'requires_action';
      /** The payment intent. */
      readonly intent: Id<'payment_intent'>;
      /** The intent's secret for the browser; null if it has none. */
      readonly clientSecret: string | null;
    }>;

/** A payment of an order. */
export type OrderPayment = Inline<{
  /** Its name in the record: the operation id of its request ends with it. */
  readonly operation: string;
  /** `page`: a checkout session. `intent`: a payment intent. `sale`: a transaction of the form endpoint. */
  readonly kind: 'page' | 'intent' | 'sale';
  /**
   * `created`: recorded, and perhaps not sent. `sending`: a sale is being sent. `open`: it can be paid. `authorized`: it can be captured.
   * `expired`: it can probably not be paid any more. `declined`: it was refused. `unknown`: a person has to look it up.
   */
  readonly status:
    | 'created'
    | 'sending'
    | 'open'
    | 'authorized'
    | 'paid'
    | 'expired'
    | 'declined'
    | 'unknown';
  /** What the buyer was asked for. */
  readonly asked: Money;
  /** What the buyer paid; null until then. */
  readonly paid: Money | null;
  /** The id of the session, the intent or the transaction; null until it is known. */
  readonly reference: string | null;
  /** The id of the payment intent, that behind a page too; null until it is known, and for a sale. */
  readonly intent: string | null;
}>;

/** Money that goes back. */
export type OrderRefund = Inline<{
  /** Your own id of the return; for money that was paid too much, one that the module made; for one made elsewhere, its reference. */
  readonly id: string;
  /** `return`: you asked for it. `extra`: it was paid too much, or for a canceled order. `elsewhere`: another program or a person made it. */
  readonly why: 'return' | 'extra' | 'elsewhere';
  /** `planned`: it is not known to have been made. */
  readonly status: 'planned' | 'pending' | 'succeeded' | 'failed';
  /** How much. */
  readonly money: Money;
  /** The id of the refund, or of the transaction that made it; null until it is known. */
  readonly reference: string | null;
  /** Why it failed; null if it did not. */
  readonly message: string | null;
}>;

/** What a person has to do for an order. `operation` is what `resolve` takes. */
export type Need = Inline<{
  /**
   * - `rest_unpaid`: a part was paid, since the row was edited. Let the buyer pay the rest with `checkout`, or `cancel`.
   * - `row_missing`: money came, and `order` does not find the row. Restore the row, then `refresh`. Or, with this view, `cancel` the order, or
   *   `refund` it if it is paid: given back in full, it ships no more.
   * - `not_shipped`: it is paid, and `order` or `onPaid` failed. Mend the cause; `resume` calls it again.
   * - `payment_unknown`: nobody knows whether a payment was made. Look it up in the control panel, then `resolve`.
   * - `capture_unknown`: nobody knows whether authorized money was taken. Look it up, then `resolve`: with the id only if the panel says that the
   *   money was captured, since the authorization itself is always there.
   * - `hold_refused`: the service refused to take authorized money, or to release it: it has lapsed, or somebody took or released it. Look it up,
   *   then `resolve`: with its `reference` if all of it was taken, with null if nothing was; then it is released. Or call `capture` again.
   * - `refund_unknown`: nobody knows whether a refund was made. Look it up in the control panel, then `resolve`.
   * - `refund_failed`: the service refused it, or it failed. `retryRefund`, or give the money back in another way, then `resolve`.
   * - `refunded_elsewhere`: another program or a person gave money back. `resolve` with null once you know of it.
   * - `chargeback`: the buyer's bank takes the money back. Respond to it; `resolve` when it is decided.
   */
  readonly kind:
    | 'rest_unpaid'
    | 'row_missing'
    | 'not_shipped'
    | 'payment_unknown'
    | 'capture_unknown'
    | 'hold_refused'
    | 'refund_unknown'
    | 'refund_failed'
    | 'refunded_elsewhere'
    | 'chargeback';
  /** What `resolve` takes; null if it takes something else to end the need. */
  readonly operation: string | null;
  /** The id of the session, the intent or the transaction that it is about, to look it up; null for the whole order, or if it is not known. */
  readonly reference: string | null;
  /** How much it is about. */
  readonly money: Money;
  /** What is known of the cause, for a log or a page of your staff; null if nothing is. */
  readonly detail: string | null;
}>;

/** What has been paid for an order. All amounts but those of `payments`, `refunds` and `needs` are in the currency of `total`. */
export type OrderView = Inline<{
  /** Your id of the order. */
  readonly id: string;
  /** The `createdAt` of its row, as a text. */
  readonly createdAt: string;
  /**
   * `unpaid`, `authorized` or `part_paid`: something is due. `in_progress`: the outcome of a payment is not known yet, so another one could charge
   * twice, or `onPaid` has not succeeded yet. `paid`: it was paid in full, also if it was refunded later. `canceled`: what was
   * paid, or will be, goes back.
   */
  readonly state: 'unpaid' | 'in_progress' | 'authorized' | 'part_paid' | 'paid' | 'canceled';
  /** What it costs: the sum of its lines when it was read last, or when it was paid. */
  readonly total: Money;
  /** What buyers have paid, before refunds. */
  readonly paid: Money;
  /**
   * What a page took beyond what it asked for, such as a tip (*inferred*), and has not gone back. It is not due. It goes back by itself only with
   * the whole of its payment.
   */
  readonly added: Money;
  /** What is still to be paid. */
  readonly due: Money;
  /** What has gone back. */
  readonly refunded: Money;
  /** What is going back. */
  readonly refunding: Money;
  /** How much `refund` may still give back. */
  readonly refundable: Money;
  /** Its payments, the oldest first, without those that the service declined at once. */
  readonly payments: readonly OrderPayment[];
  /** Its refunds, the oldest first. */
  readonly refunds: readonly OrderRefund[];
  /** What a person has to do; empty if nothing. */
  readonly needs: readonly Need[];
}>;

/**
 * An order: your own id, for the one whose row `order` returns now, or a view of it. A view also names an order whose row is gone, or whose id was
 * issued again.
 */
export type OrderName = string | Inline<Pick<OrderView, 'id' | 'createdAt'>>;
