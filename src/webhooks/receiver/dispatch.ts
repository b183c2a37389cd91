import { defineErrorClass, PaymentsError } from '../../base/errors.ts';
import type { Handled, VerifiedDelivery } from './handled.ts';

/** What becomes of a dispatched event where nothing goes wrong: the same as of a delivery. */
export type DispatchOutcome = 'handled' | 'duplicate' | 'ignored';

/** Another process handles the event now. Dispatch it again later, as a queue does with a job that failed. */
export class WebhookInProgressError extends PaymentsError {
  /** The time until the other's lease runs out, in ms. */
  readonly retryAfter: number;

  static {
    defineErrorClass(this, 'WebhookInProgressError');
  }

  /** @internal */
  constructor(eventId: string, retryAfter: number) {
    super(
      `webhooks: expected ${eventId} to be free, got an event that another process handles. Dispatch it again in ${retryAfter} ms.`,
      { code: 'WEBHOOK_IN_PROGRESS', outcome: 'unknown', retryable: true },
    );
    this.retryAfter = retryAfter;
  }
}

/** Gives the outcome of a dispatched event, or throws what a queue needs to see so that it tries again. */
export function settleDispatch(
  { outcome, error, details }: Handled,
  { reading }: VerifiedDelivery,
): DispatchOutcome {
  if (outcome === 'handled' || outcome === 'duplicate' || outcome === 'ignored') return outcome;
  if (reading.event === undefined) throw reading.error;
  if (outcome === 'in_progress') throw new WebhookInProgressError(reading.event.id, details?.retryAfter ?? 0);
  throw error;
}
