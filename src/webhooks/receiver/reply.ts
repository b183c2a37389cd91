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
  duplicate: 200,
  ignored: 200,
  in_progress: 409,
  failed: 500,
  refused: 400,
};

/** What a reply may say besides its outcome. */
export interface ReplyDetails {
  /** Why it was refused. */
  readonly reason?: string;
  /** After how long a delivery makes sense again, in ms. */
  readonly retryAfter?: number;
}

/** Makes the replies of one receiver. */
export type ReplyMaker = (outcome: DeliveryOutcome, details?: ReplyDetails) => DeliveryReply;

/** Replies with the statuses that the merchant chose. */
export function replyMaker(chosen: NonNullable<ReceiverOptions['statuses']> = {}): ReplyMaker {
  return (outcome, { reason, retryAfter } = {}) => ({
    outcome,
    status: chosen[outcome] ?? defaultStatuses[outcome],
    headers: {
      'content-type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter / 1000)) }),
    },
    body: JSON.stringify({ outcome, reason }),
  });
}
