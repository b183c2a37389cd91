import type { Inline } from '../base/inline.ts';

/** An amount in minor units and its currency. */
export type Money = Inline<{
  /** Minor units. */
  readonly amount: number;
  /** 3 letters in upper case. */
  readonly currency: string;
}>;

/**
 * Whether an order was charged once.
 *
 * - `charged_once`: charged once, not counting further payments that were refunded in full (a subscription: once for each
 *   invoice; an order of `payments-client/orders`: no more than one page asked for, and the rest after an edit).
 * - `nothing_happened`: not charged, and it will not be without a new request.
 * - `open`: not charged yet, but the buyer or a capture may still complete it.
 * - `unknown_to_app`: the service executed the request, the response was lost or a fault delays it, and the app has neither retried
 *   it, nor read its object, nor used what it made, such as the transaction to refund.
 * - `charged_twice`: charged more than once and not refunded in full; or another story charged the same amount, and is
 *   probably the same purchase: the same buyer or name of the shop within ten minutes (a `client_reference_id`, an `orderid`, an
 *   `order_id` of the metadata, or an operation id without its attempt, as in `order-88/2`); or a payment that the app does not know,
 *   with one of the same name or metadata, else with the next equal one of no other buyer within ten minutes.
 */
export type Verdict = Inline<
  'charged_once' | 'nothing_happened' | 'open' | 'unknown_to_app' | 'charged_twice'
>;

/** Each verdict in words, worst first. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  charged_twice: 'Charged twice?',
  unknown_to_app: 'Unknown to your app',
  open: 'Not charged yet',
  charged_once: 'Charged once',
  nothing_happened: 'Not charged',
};

/** Why somebody must act on an order, most urgent first. */
export const needReasons = [
  'dispute_due',
  'charged_twice',
  'unknown',
  'refund_failed',
  'webhooks_given_up',
  'renewal_unpaid',
  'declined',
] as const;

/** What somebody must do about an order. */
export type Need = Inline<{
  /**
   * - `dispute_due`: the buyer disputes a payment, and the time to respond is not over.
   * - `charged_twice`: as the verdict.
   * - `unknown`: as the verdict `unknown_to_app`.
   * - `refund_failed`: a refund failed, and neither a retry nor a new one replaced it.
   * - `webhooks_given_up`: the order is paid, and an event of it reached no endpoint and is not retried.
   * - `renewal_unpaid`: an invoice of a subscription is uncollectible.
   * - `declined`: nothing was charged, and the app's last attempt was declined.
   */
  readonly why: (typeof needReasons)[number];
  /** The next step, in one sentence. */
  readonly action: string;
  /** The end of the time for it, in ms since 1970; absent if there is none. */
  readonly due?: number;
}>;

/** A remark on an order besides its figures. */
export type Note = Inline<
  | 'request lost'
  | 'reply lost'
  | 'server error'
  | 'replayed'
  | 'declined'
  | 'refused'
  | '3-D Secure failed'
  | 'authorized'
  | 'canceled'
  | 'expired'
  | 'refunded'
  | 'partly refunded'
  | 'refund failed'
  | 'disputed'
  | 'past due'
  | 'uncollectible'
  | 'webhook retried'
>;

/** The delivery counts of an order's events. */
type WebhookCounts = {
  /** Successful deliveries. */
  readonly delivered: number;
  /** Deliveries that were given up, dropped, or wait for a retry, unless another one brought the event to the endpoint. */
  readonly failing: number;
  /** All deliveries except canceled ones. */
  readonly total: number;
};

/** A business operation in summary: an order with its requests, objects and deliveries. */
export interface StorySummary {
  /** The story's id, for `GET /_sandbox/stories/<id>`: its title, or an object's id if the title is redacted or another order has it too. */
  readonly id: string;
  /** The app's own id of an order of `payments-client/orders`, else its first operation id, else the id of the first object. */
  readonly title: string;
  /** The time of its first entry, in ms since 1970, by the sandbox's clock. */
  readonly startedAt: number;
  /** The time of its last entry, in ms since 1970, by the sandbox's clock. */
  readonly endedAt: number;
  /** Its amount, that of a part and its rest together; `null` if none is known. */
  readonly money: Money | null;
  /** The number of successful charges. */
  readonly charges: number;
  /**
   * The charged amount minus refunds, pending ones included, and disputes, in minor units of `money.currency`; `null` if the
   * charges are in several currencies.
   */
  readonly net: number | null;
  /** How often the app sent the same request; of several, the highest count. */
  readonly attempts: number;
  /** Remarks, each once, in order of time. */
  readonly notes: readonly Note[];
  /** The deliveries of its events to the app's endpoints. */
  readonly webhooks: WebhookCounts;
  /** Whether it was charged once. */
  readonly verdict: Verdict;
  /** The reason of the verdict, in a few sentences. */
  readonly reason: string;
  /** The most urgent thing to do about it; `null` if there is nothing to do. */
  readonly needs: Need | null;
  /** The customer's id; `null` if none is known. */
  readonly customer: string | null;
  /** The customer's e-mail address; `null` if none is known. */
  readonly email: string | null;
}

/** An object of a story in its current state. */
export interface StoryObject {
  readonly kind: string;
  readonly id: string;
  /** Its state; `null` if its kind has none, or it was removed. */
  readonly state: string | null;
  readonly money: Money | null;
}

/** An action that is possible on a story's objects now. */
export interface StoryAction {
  /** The name of the command. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The label of its button, such as `Refund $55.00`. */
  readonly label: string;
  /** The expected effect, in one sentence. */
  readonly expected: string;
  /** Whether it is what the need of the order asks for. */
  readonly isAdvised: boolean;
}
