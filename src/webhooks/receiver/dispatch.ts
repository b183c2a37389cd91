import { defineErrorClass, PaymentsError } from '../../base/errors.ts';
import type { Inline } from '../../base/inline.ts';
import type { Handled, VerifiedDelivery } from './handled.ts';

/** The outcome of a dispatched event that did not fail. The words mean the same as for a delivery. */
export type DispatchOutcome = Inline<'handled' | 'duplicate' | 'ignored'>;

/** Another process is handling the event. Dispatch it again later, as a queue does with a failed job. */
export class WebhookInProgressError extends PaymentsError {
  /** The time until the other process's lease expires, in seconds. */
  declare readonly retryAfter: number;

  static {
    defineErrorClass(this, 'WebhookInProgressError');
  }

  /** @internal */
  constructor(eventId: string, retryAfter: number) {
    super(
      `webhooks: expected ${eventId} to be unclaimed, but another process is handling it. Dispatch it again in ${retryAfter} seconds.`,
      { code: 'WEBHOOK_IN_PROGRESS', outcome: 'unknown', retryable: true, retryAfter },
    );
  }
}

/** Returns the outcome of a dispatched event, or throws the error that makes a queue retry. */
export function settleDispatch(
  { outcome, error, details }: Handled,
  { reading }: VerifiedDelivery,
): DispatchOutcome {
  if (outcome === 'handled' || outcome === 'duplicate' || outcome === 'ignored') return outcome;
  if (reading.event === undefined) throw reading.error;
  if (outcome === 'in_progress') throw new WebhookInProgressError(reading.event.id, details?.retryAfter ?? 0);
  throw error;
}
