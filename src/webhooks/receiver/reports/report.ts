import type { Issue } from '../../../base/errors.ts';
import type { Inline } from '../../../base/runtime/runtime.ts';
import type { WebhookEvent } from '../../events/event.ts';
import type { ReadableHeaders } from '../../headers.ts';
import type { RawBody } from '../../signatures/scheme.ts';
import type { WebhookVerificationReason } from '../../verification-error.ts';

/**
 * The outcome of a delivery:
 *
 * - `handled`: the handler returned, or the event has none and is not kept;
 * - `enqueued`: the queue has it;
 * - `kept`: the event has no handler, and the store keeps it (option `unhandled`);
 * - `duplicate`: the event was handled before;
 * - `in_progress`: another delivery of the event is being handled;
 * - `draining`: the receiver was drained before it came, so another process has to handle it;
 * - `failed`: the handler, `enqueue`, the store or the lookup of secrets failed, or no handler can read the body;
 * - `refused`: it failed verification.
 */
export type DeliveryOutcome = Inline<
  'handled' | 'enqueued' | 'kept' | 'duplicate' | 'in_progress' | 'draining' | 'failed' | 'refused'
>;

/**
 * Why a delivery was refused: the reason of its error, or `clock` for a valid signature whose time is outside the tolerance.
 */
export type RefusalReason = Inline<Exclude<WebhookVerificationReason, 'too_old' | 'too_new'> | 'clock'>;

/** The source of a delivery: a request of the service, or `receiver.dispatch()`. */
export type DeliverySource = Inline<'request' | 'dispatch'>;

/** A failure of a delivery. */
export interface DeliveryFailure {
  /** The error. */
  readonly error: unknown;
  /**
   * The outcome of the delivery. `handled` if an event that differs from the interface reached its handler, and the
   * handler returned.
   */
  readonly outcome: DeliveryOutcome;
  /** The event; `undefined` if the delivery could not be verified or read. */
  readonly event: WebhookEvent | undefined;
}

/** A verified delivery that contains no event for a handler. */
export type UnreadableDelivery = Inline<{
  /** The body as received, unless it is `masked`. */
  readonly rawBody: RawBody;
  /** Whether it is a kept delivery whose card data was masked. */
  readonly masked: boolean;
  /** The headers of the delivery; empty for `dispatch`. */
  readonly headers: ReadableHeaders;
  /** The scope of the endpoint whose secret signed the delivery; `undefined` where the secrets have no scopes. */
  readonly scope: string | undefined;
  /** The issues of the body. */
  readonly issues: readonly Issue[];
}>;

/** One delivery, for your metrics. */
export interface DeliveryReport {
  /** The outcome. */
  readonly outcome: DeliveryOutcome;
  /** The source of the delivery. */
  readonly source: DeliverySource;
  /** The HTTP status of the response; `undefined` if there was no request. */
  readonly status: number | undefined;
  /** The time from the complete body to the outcome, in ms. */
  readonly duration: number;
  /** The receiver's consumer. */
  readonly consumer: string;
  /** Whether the service signed it. A dispatched event counts as verified: trust it as you trust its sender. */
  readonly verified: boolean;
  /** The reason of a refusal; `undefined` for other outcomes. */
  readonly reason: RefusalReason | undefined;
  /** The error of a failed or refused delivery; otherwise `undefined`. */
  readonly error: unknown;
  /** The scope of the endpoint whose secret signed it; `undefined` if there is none. */
  readonly scope: string | undefined;
  /** The event's id; `undefined` if the delivery could not be verified, or was not read. */
  readonly eventId: string | undefined;
  /** The event's type; `undefined` if the delivery could not be verified, or was not read. */
  readonly type: string | undefined;
  /** The id of the event's object, such as `rf_…`; `undefined` if the delivery could not be verified or read, or the object has none. */
  readonly objectId: string | undefined;
  /** When the event happened; `undefined` if the delivery has no event, or the event no time in ISO 8601 and no timestamp. */
  readonly created: Date | undefined;
  /**
   * The number of claims of the event, including this one; `undefined` if this delivery did not get the claim.
   */
  readonly attempt: number | undefined;
  /** The differences between the event and the interface. */
  readonly issues: readonly Issue[];
}

/**
 * Wraps each delivery, for example in the spans of `openTelemetry()`. It must call the given function, which
 * handles the delivery and never rejects. Its own result and errors do not affect the delivery, which does not wait for
 * it.
 */
export type DeliveryInstrument = Inline<(handle: () => Promise<DeliveryReport>, consumer: string) => unknown>;
