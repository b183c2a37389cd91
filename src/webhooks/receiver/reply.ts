import type { WebhookVerificationReason } from '../verification-error.ts';
import type { DeliveryOutcome, ReceiverOptions } from './options.ts';

/** What to answer to a delivery. */
export interface DeliveryReply {
  /** What became of the delivery. */
  readonly outcome: DeliveryOutcome;
  /** The HTTP status. */
  readonly status: number;
  /** The response's headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The response's body, as JSON. */
  readonly body: string;
}

const defaultStatuses: Readonly<Record<DeliveryOutcome, number>> = {
  handled: 200,
  accepted: 200,
  duplicate: 200,
  ignored: 200,
  in_progress: 409,
  failed: 500,
  dead: 500,
  unreadable: 500,
  refused: 400,
};

/** What a reply may say besides its outcome. */
export interface ReplyDetails {
  /** Why it was refused. */
  readonly reason?: WebhookVerificationReason;
  /** After how long a delivery makes sense again, in ms. */
  readonly retryAfter?: number;
  /** The status where the merchant chose none for the outcome. */
  readonly status?: number;
}

type Statuses = ReceiverOptions['statuses'];

/** The status of an outcome. */
export function statusOf(
  outcome: DeliveryOutcome,
  chosen: Statuses,
  status: number = defaultStatuses[outcome],
): number {
  return chosen?.[outcome] ?? status;
}

/** Makes the replies of one receiver. */
export type ReplyMaker = (outcome: DeliveryOutcome, details?: ReplyDetails) => DeliveryReply;

/** Replies with the statuses that the merchant chose. */
export function replyMaker(chosen: Statuses): ReplyMaker {
  return (outcome, { reason, retryAfter, status } = {}) => ({
    outcome,
    status: statusOf(outcome, chosen, status),
    headers: {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter / 1000)) }),
    },
    body: JSON.stringify({ outcome, reason }),
  });
}
