import { PaymentsError } from '../../base/errors.ts';
import type { Inline } from '../../base/inline.ts';
import type { Handled, VerifiedDelivery } from './handled.ts';

/** The outcome of a dispatched event that did not fail. The words mean the same as for a delivery. */
export type DispatchOutcome = Inline<'handled' | 'duplicate' | 'ignored'>;

/** Returns the error for an event that another process handles, for at most `retryAfter` seconds. */
function inProgress(eventId: string, retryAfter: number): PaymentsError {
  const problem = `expected ${eventId} to be unclaimed, but another process is handling it.`;
  const message = `webhooks: ${problem} Dispatch it again in ${retryAfter} seconds.`;
  const code = 'WEBHOOK_IN_PROGRESS';
  return new PaymentsError(message, { code, outcome: 'unknown', retryable: true, retryAfter });
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
