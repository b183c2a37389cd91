/** What users type: the options, what they get, who has access, and what a person has to do. */

import type { Inline } from '../../base/runtime/runtime.ts';
import type { PaymentsClient } from '../../client.ts';
import type { IdInput } from '../../resources/fields/ids.ts';
import type { Invoice } from '../../resources/objects/invoices.ts';
import type { Subscription } from '../../resources/objects/subscriptions.ts';
import type { Store } from '../../stores/store.ts';
import type { WebhookEventMap } from '../../webhooks/events/event.ts';

/** The newest known version of a subscription. */
export type KnownSubscription = Inline<{
  /** The subscription's id. */
  readonly id: string;
  /** Its status. */
  readonly status: Subscription['status'];
  /** Whether it grants access now: its status does, and it has not ended by your clock. */
  readonly grants: boolean;
  /** When it ends or ended, in ms since 1970; null if no end is known. */
  readonly endsAt: number | null;
  /** What it bills. Items without a price and a quantity are left out. */
  readonly items: readonly Inline<{
    /** The price's id. */
    readonly price: string;
    /** How many. */
    readonly quantity: number;
  }>[];
}>;

/** What a person has to do about an invoice that the service gave up. `resolve` ends the need. */
export type SubscriptionNeed = Inline<{
  /**
   * - `which_subscription`: the invoice does not say whose it is. Look it up in the control panel. `resolve` with its subscription, which is
   *   then canceled unless it is over, or with null to cancel none.
   * - `not_canceled`: its subscription could not be canceled. Mend the cause, and `resolve` with it again. Or cancel it in the control panel:
   *   the event ends the need, or `resolve` with null.
   */
  readonly kind: 'which_subscription' | 'not_canceled';
  /** The id of the invoice. */
  readonly invoice: string;
  /** The known subscriptions that the invoice may be of, also those that are over; for `not_canceled` its own one. At least one. */
  readonly subscriptions: readonly string[];
  /** Why it could not be canceled, such as the code of the service; null if the question is whose it is. */
  readonly detail: string | null;
}>;

/** What is known of a customer's subscriptions. */
export type CustomerAccess = Inline<{
  /** Whether a subscription grants access now. False for a customer of whom nothing is known. */
  readonly granted: boolean;
  /** The known subscriptions, the oldest first; empty if none is known. */
  readonly subscriptions: readonly KnownSubscription[];
  /** What a person has to do; empty if nothing. */
  readonly needs: readonly SubscriptionNeed[];
}>;

/** A customer whose subscriptions need someone. */
export type UnsettledCustomer = Inline<{
  /** The customer's id. */
  readonly customer: string;
  /** What a person has to do; empty if an error ended the work before that was known. */
  readonly needs: readonly SubscriptionNeed[];
  /** Why the work could not go on. The next `resume` goes on. Absent if it could. */
  readonly error?: unknown;
}>;

/** What subscriptions need of a store. */
export type SubscriptionStore = Pick<Store<never>, 'load' | 'save' | 'due'>;

/** A subscription, or nothing if it is not known. */
type NamedSubscription = IdInput<'subscription'> | null | undefined;

/** Options of `createSubscriptions`. */
export interface SubscriptionsOptions {
  /** The client that all calls go through. */
  readonly payments: Pick<PaymentsClient, 'subscriptions'>;
  /** The store, which all processes share: `sqliteStore`, `redisStore`, `postgresStore`, or `memoryStore()` for a test. */
  readonly store: SubscriptionStore;
  /**
   * Names your account and its environment, such as `tea-shop-live`: 1 to 64 letters, digits, `.`, `_` and `-`. Two accounts may share a store.
   * It is part of every record, so never change it.
   */
  readonly account: string;
  /** The statuses that grant access. Default: `active` and `past_due` (both *inferred*), so that access stays while the service retries an invoice. */
  readonly grants?: readonly Subscription['status'][] | undefined;
  /**
   * Returns the subscription of an invoice that the service gave up, from your own tables; `undefined` or null if they do not say it. It
   * is **canceled**, so return no guess. Default: the `subscription` or `subscription_id` of the invoice (*inferred*: the interface shows neither).
   */
  readonly subscriptionOf?:
    | ((invoice: Invoice) => NamedSubscription | Promise<NamedSubscription>)
    | undefined;
  /** Returns the time in ms since 1970. For tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

type HandledType =
  | 'subscription.created'
  | 'subscription.updated'
  | 'subscription.canceled'
  | 'invoice.marked_uncollectible';

/** Handlers for `receiver({ on: subscriptions.on })`. */
export type SubscriptionHandlers = {
  readonly [Type in HandledType]: (event: WebhookEventMap[Type]) => Promise<void>;
};

/** Who has access, by the subscriptions of an account. */
export interface CustomerSubscriptions {
  /**
   * Handlers for `receiver({ on: subscriptions.on })`. An event may be lost, repeated or late: the newest version of a subscription counts.
   * `invoice.marked_uncollectible` cancels the invoice's own subscription. To cancel none, leave this handler out.
   *
   * They throw so that the delivery is repeated: a `PaymentsError` `SUBSCRIPTION_MODE` for an object of the other mode,
   * `SUBSCRIPTION_CHANGED` and `SUBSCRIPTION_RECORD`, a `ConfigurationError` for an object without what orders it; errors of the store, of
   * `subscriptionOf`, and of a cancellation whose outcome is unknown or that may succeed later.
   */
  readonly on: SubscriptionHandlers;
  /**
   * Returns who has access now, from the store alone. Ask it at each request: a copy of the answer becomes stale.
   *
   * @throws ConfigurationError for the id of another kind. PaymentsError `SUBSCRIPTION_RECORD` for a damaged record. Errors of the store pass through.
   */
  access(customer: IdInput<'customer'>): Promise<CustomerAccess>;
  /**
   * Asks the service for a subscription, and returns the access of its customer; `undefined` if the service answers 404: the subscription
   * does not exist, or the service has no such path (*inferred*). An answer that is older than what is known changes nothing.
   *
   * @throws Errors of the call and those of `on`.
   */
  refresh(subscription: IdInput<'subscription'>): Promise<CustomerAccess | undefined>;
  /**
   * Ends a need by a person's word. Repeating it changes nothing.
   *
   * @param invoice The `invoice` of the need.
   * @param subscription The subscription to cancel: a known one of the customer, and only that of the invoice if it has one; null to cancel none.
   * @throws ConfigurationError for an invoice that was not given up, or for another subscription. Errors as those of `on`.
   */
  resolve(
    customer: IdInput<'customer'>,
    invoice: IdInput<'invoice'>,
    subscription: IdInput<'subscription'> | null,
  ): Promise<CustomerAccess>;
  /**
   * Continues what a crash or an error left, and asks the service for subscriptions whose period ended an hour ago without news. Call it every
   * few minutes, in one process or in several.
   *
   * @returns The customers who still need a person, or whose work failed; empty if none does.
   * @throws Errors of the store when it lists what is due.
   */
  resume(): Promise<readonly UnsettledCustomer[]>;
}
