import type { Entry } from './entry.ts';

/** An amount in minor units, and its currency, a 3-letter code in upper case. */
export interface Money {
  /** Minor units. */
  readonly amount: number;
  /** 3 letters in upper case. */
  readonly currency: string;
}

/**
 * Whether an order was charged once.
 *
 * - `charged_once`: money was taken once (for a subscription: once for each invoice).
 * - `nothing_happened`: no money was taken, and none will be without a new request.
 * - `open`: no money was taken yet, and the buyer or a capture may still take it.
 * - `unknown_to_app`: the service did what was asked, the reply was lost, and the app has not repeated the request.
 * - `charged_twice`: money was taken twice, or another story took the same amount from the same customer shortly before or after.
 */
export type Verdict = 'charged_once' | 'nothing_happened' | 'open' | 'unknown_to_app' | 'charged_twice';

/** What a row says besides its figures, in the order in which it happened. */
export type Note =
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
  | 'webhook retried';

/** How the deliveries of an order's events stand. */
export interface WebhookCounts {
  /** Deliveries that arrived. */
  readonly delivered: number;
  /** Deliveries that were given up, dropped, or wait for a retry. */
  readonly failing: number;
  /** All deliveries, but for canceled ones. */
  readonly total: number;
}

/** One business operation, as a row shows it: an order and all that came of it. */
export interface StorySummary {
  /** Names the story: `GET /_sandbox/stories/<id>`. The operation id or an object's id. */
  readonly id: string;
  /** The first operation id of the app, else the id of the first object. */
  readonly title: string;
  /** When it began and when it last changed, in ms since 1970, by the sandbox's clock. */
  readonly startedAt: number;
  /** See `startedAt`. */
  readonly endedAt: number;
  /** What it is about; `null` where no amount is known. */
  readonly money: Money | null;
  /** How many times money was taken. */
  readonly charges: number;
  /** What was taken and neither given back nor disputed, in minor units. */
  readonly net: number;
  /** How often the app sent the request that it sent most often. */
  readonly attempts: number;
  /** What else happened, each once. */
  readonly notes: readonly Note[];
  /** Deliveries of its events to the app's endpoints. */
  readonly webhooks: WebhookCounts;
  /** Whether it was charged once. */
  readonly verdict: Verdict;
  /** Why, in one or two sentences. */
  readonly reason: string;
  /** The customer's id; `null` where none is known. */
  readonly customer: string | null;
  /** The customer's e-mail address; `null` where none is known. */
  readonly email: string | null;
}

/** An object that a story is about, as it is now. */
export interface StoryObject {
  readonly kind: string;
  readonly id: string;
  /** Its state; `null` where its kind has none, or it was removed. */
  readonly state: string | null;
  readonly money: Money | null;
}

/** Something that can be done to a story's objects now. */
export interface StoryAction {
  /** `repeat`: sends a request again with its key. The others are methods of the service, the buyer's payment, or a delivery. */
  readonly name: 'repeat' | 'capture' | 'cancel' | 'refund' | 'retry refund' | 'pay' | 'expire' | 'redeliver';
  /** The label of its button, such as `Refund $55.00`. */
  readonly label: string;
  /** What is expected to happen, in one sentence. */
  readonly expected: string;
  /** What it acts on: the number of a request, or the id of an object or an event. */
  readonly target: string;
}

/** A story in full. */
export interface Story extends StorySummary {
  /** All operation ids that it has. */
  readonly operationIds: readonly string[];
  readonly objects: readonly StoryObject[];
  /** What happened, in order. */
  readonly entries: readonly Entry[];
  readonly actions: readonly StoryAction[];
  /** Whether its first entries were forgotten, since the recording is bounded. */
  readonly isCut: boolean;
}
