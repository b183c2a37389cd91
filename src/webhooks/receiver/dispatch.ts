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
    defineErrorClass(this, 'WebhookInProgressError', {
      code: 'WEBHOOK_IN_PROGRESS',
      outcome: 'unknown',
      retryable: true,
      retryAfter: 60,
    });
  }
}

/** Returns the error for an event that another process handles, for at most `retryAfter` seconds. */
function inProgress(eventId: string, retryAfter: number): WebhookInProgressError {
  const problem = `expected ${eventId} to be unclaimed, but another process is handling it.`;
  const message = `webhooks: ${problem} Dispatch it again in ${retryAfter} seconds.`;
  return new WebhookInProgressError(message, { retryAfter });
}

/** Returns the outcome of a dispatched event, or throws the error that makes a queue retry. */
export function settleDispatch(
  { outcome, error, details }: Handled,
  { reading }: VerifiedDelivery,
): DispatchOutcome {
  if (outcome === 'handled' || outcome === 'duplicate' || outcome === 'ignored') return outcome;
  if (reading.event === undefined) throw reading.error;
  if (outcome === 'in_progress') throw inProgress(reading.event.id, details?.retryAfter ?? 0);
  throw error;
}
