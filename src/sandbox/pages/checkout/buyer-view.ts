import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';

/** The data that every page of a session shows. */
export interface BuyerView {
  readonly session: CheckoutSession;
  /** The shop's name. */
  readonly merchantName: string;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
}
