import { defineErrorClass, PaymentsError } from '../../base/errors.ts';

/**
 * The lease expired before the handler ended, and another delivery of the event took over. The handler's effects may
 * happen twice, unless they were part of a transaction that rolls back or used the context's `operationId`.
 */
export class WebhookLeaseLostError extends PaymentsError {
  static {
    defineErrorClass(this, 'WebhookLeaseLostError', { code: 'WEBHOOK_LEASE_LOST', outcome: 'unknown' });
  }
}

/** Returns the error for a handler that outlived its lease of `lease` milliseconds. */
export function leaseLost(eventId: string, lease: number, hasSignal = true): WebhookLeaseLostError {
  const problem = `expected the handler of ${eventId} to end within its lease of ${lease} ms, but another delivery took over.`;
  const advice = hasSignal ? 'stop at context.signal' : 'shorten the handler';
  return new WebhookLeaseLostError(`webhooks: ${problem} Raise 'lease', or ${advice}.`);
}
