import type { Issue } from '../../base/errors.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { ReadableHeaders } from '../headers.ts';
import type { RawBody } from '../signatures/scheme.ts';
import type { WebhookVerificationReason } from '../verification-error.ts';

/**
 * What became of a delivery:
 *
 * - `handled`: a handler ran to its end;
 * - `accepted`: the inbox keeps it for a worker;
 * - `duplicate`: the event was handled before, or the inbox has it;
 * - `ignored`: there is no handler for it;
 * - `in_progress`: another delivery of the event is being handled;
 * - `failed`: the handler, `onUnreadable`, the store or the lookup of secrets failed;
 * - `dead`: the handler failed for the last time, and the inbox keeps the delivery for `replay`;
 * - `unreadable`: it was verified, and no event for a handler could be read from it;
 * - `refused`: it could not be verified.
 */
export type DeliveryOutcome =
  | 'handled'
  | 'accepted'
  | 'duplicate'
  | 'ignored'
  | 'in_progress'
  | 'failed'
  | 'dead'
  | 'unreadable'
  | 'refused';

/** Where a delivery came from: a request of the service, the inbox, or `receiver.dispatch()`. */
export type DeliverySource = 'request' | 'inbox' | 'dispatch';

/** Something that went wrong with a delivery. */
export interface DeliveryFailure {
  /** What happened. */
  readonly error: unknown;
  /**
   * What became of the delivery: `handled` where an event of another form than the interface says reached its handler, which ran to its
   * end.
   */
  readonly outcome: DeliveryOutcome;
  /** The event; `undefined` where it could not be verified or read. */
  readonly event: WebhookEvent | undefined;
}

/** A delivery that was verified, and from which no event for a handler could be read. */
export interface UnreadableDelivery {
  /** The body as it came. */
  readonly rawBody: RawBody;
  /** The headers of the delivery. */
  readonly headers: ReadableHeaders;
  /** The scope of the endpoint whose secret signed the delivery; `undefined` where the secrets have no scopes. */
  readonly scope: string | undefined;
  /** What is wrong with it. */
  readonly issues: readonly Issue[];
}

/** One delivery, for your metrics. */
export interface DeliveryReport {
  /** What became of it. */
  readonly outcome: DeliveryOutcome;
  /** Where it came from. */
  readonly source: DeliverySource;
  /** The HTTP status that answers it; `undefined` where it is no request. */
  readonly status: number | undefined;
  /** The time from when its body was there to when its end was known, in ms. */
  readonly duration: number;
  /** The consumer of the receiver. */
  readonly consumer: string;
  /** Whether it was signed by the service. A dispatched event is as good as whoever dispatched it. */
  readonly verified: boolean;
  /** The reason of a refusal; `undefined` for other outcomes. */
  readonly reason: WebhookVerificationReason | undefined;
  /** What the handler or the store threw, or why the delivery was refused; else `undefined`. */
  readonly error: unknown;
  /** The scope of the endpoint whose secret signed it; `undefined` where there is none. */
  readonly scope: string | undefined;
  /** The id of its event; `undefined` where it could not be verified or read. */
  readonly eventId: string | undefined;
  /** The type of its event; `undefined` where it could not be verified or read. */
  readonly type: string | undefined;
  /** How many times the event was claimed, this time included; `undefined` where this delivery did not get the claim. */
  readonly attempt: number | undefined;
  /** What of its event differs from the interface. */
  readonly issues: readonly Issue[];
}

/**
 * Runs around each delivery, such as the spans of `openTelemetryDeliveries()`. It calls the function that it is given, which handles the
 * delivery and never rejects. Whatever it does itself changes nothing of the delivery, and nobody waits for it.
 */
export type DeliveryInstrument = (handle: () => Promise<DeliveryReport>, consumer: string) => unknown;
