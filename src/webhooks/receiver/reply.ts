import type { Inline } from '../../base/inline.ts';
import type { WebhookVerificationReason } from '../verification-error.ts';
import type { ReceiverOptions } from './options.ts';
import type { DeliveryOutcome } from './report.ts';

/** The response to a delivery. */
export type DeliveryReply = Inline<{
  /** The outcome of the delivery. */
  readonly outcome: DeliveryOutcome;
  /** The HTTP status. */
  readonly status: number;
  /** The response's headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The response's body, JSON. */
  readonly body: string;
}>;

const defaultStatuses: Readonly<Record<DeliveryOutcome, number>> = {
  handled: 200,
  enqueued: 200,
  duplicate: 200,
  ignored: 200,
  in_progress: 409,
  failed: 500,
  unreadable: 500,
  refused: 400,
};

/** Optional details of a reply. */
export interface ReplyDetails {
  /** Why the delivery was refused. */
  readonly reason?: WebhookVerificationReason;
  /** When to deliver again, in seconds from now. */
  readonly retryAfter?: number;
  /** The status, unless the merchant configured one for the outcome. */
  readonly status?: number;
}

type Statuses = ReceiverOptions['statuses'];

/** Returns the status of an outcome. */
export function statusOf(outcome: DeliveryOutcome, chosen: Statuses, status?: number): number {
  return chosen?.[outcome] ?? status ?? defaultStatuses[outcome];
}

/** Builds the replies of one receiver. */
export type ReplyMaker = (outcome: DeliveryOutcome, details?: ReplyDetails) => DeliveryReply;

/** Returns a maker of replies that uses the merchant's statuses. */
export function replyMaker(chosen: Statuses): ReplyMaker {
  return (outcome, { reason, retryAfter, status } = {}) => ({
    outcome,
    status: statusOf(outcome, chosen, status),
    headers: {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify({ outcome, reason }),
  });
}
