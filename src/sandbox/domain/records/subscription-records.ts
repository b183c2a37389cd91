import type { Id } from '../../../resources/ids.ts';

/** The subscription of an invoice. The service's own objects do not show it. */
export interface SubscriptionInvoice {
  /** The invoice's id. */
  readonly id: Id<'invoice'>;
  /** The subscription's id. */
  readonly subscription: Id<'subscription'>;
  /** Whether it is for a later period than the first. */
  readonly renewal: boolean;
}

/** The payment method of a subscription. */
export interface Mandate {
  /** The subscription's id. */
  readonly id: Id<'subscription'>;
  /** The payment method that paid the latest invoice. */
  readonly payment_method: Id<'payment_method'>;
}
