import type { Inline } from '../../base/inline.ts';
import type { Entry } from './entry.ts';

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
 *   invoice).
 * - `nothing_happened`: not charged, and it will not be without a new request.
 * - `open`: not charged yet, but the buyer or a capture may still complete it.
 * - `unknown_to_app`: the service executed the request, the response was lost, and the app has not retried it.
 * - `charged_twice`: charged twice and not refunded in full, or another story has the same amount and customer at nearly the same time.
 */
export type Verdict = Inline<
  'charged_once' | 'nothing_happened' | 'open' | 'unknown_to_app' | 'charged_twice'
>;

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
  /** Deliveries that were given up, dropped, or wait for a retry. */
  readonly failing: number;
  /** All deliveries except canceled ones. */
  readonly total: number;
};

/** A business operation in summary: an order with its requests, objects and deliveries. */
export interface StorySummary {
  /** The story's id, for `GET /_sandbox/stories/<id>`: the operation id or an object's id. */
  readonly id: string;
  /** The first operation id of the app, else the id of the first object. */
  readonly title: string;
  /** The time of its first entry, in ms since 1970, by the sandbox's clock. */
  readonly startedAt: number;
  /** The time of its last entry, in ms since 1970, by the sandbox's clock. */
  readonly endedAt: number;
  /** Its amount; `null` if none is known. */
  readonly money: Money | null;
  /** The number of successful charges. */
  readonly charges: number;
  /** The charged amount minus refunds and disputes, in minor units. */
  readonly net: number;
  /** How often the app sent the same request; of several, the highest count. */
  readonly attempts: number;
  /** Remarks, each once, in order of time. */
  readonly notes: readonly Note[];
  /** The deliveries of its events to the app's endpoints. */
  readonly webhooks: WebhookCounts;
  /** Whether it was charged once. */
  readonly verdict: Verdict;
  /** The reason of the verdict, in one or two sentences. */
  readonly reason: string;
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
  /**
   * `repeat`: sends a request again with its key. The others are methods of the service, the buyer's payment, or a
   * redelivery.
   */
  readonly name: 'repeat' | 'capture' | 'cancel' | 'refund' | 'retry refund' | 'pay' | 'expire' | 'redeliver';
  /** The label of its button, such as `Refund $55.00`. */
  readonly label: string;
  /** The expected effect, in one sentence. */
  readonly expected: string;
  /** Its target: the number of a request, or the id of an object or a delivery. */
  readonly target: string;
}

/** A story with its entries. */
export interface Story extends StorySummary {
  /** All its operation ids. */
  readonly operationIds: readonly string[];
  readonly objects: readonly StoryObject[];
  /** Its entries, oldest first. */
  readonly entries: readonly Entry[];
  readonly actions: readonly StoryAction[];
  /** Whether old entries were dropped, since the recording is bounded. */
  readonly isCut: boolean;
}
