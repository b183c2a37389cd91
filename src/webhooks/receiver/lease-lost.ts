import { defineErrorClass, PaymentsError } from '../../base/errors.ts';

/**
 * The lease ran out before the handler was done, and another delivery of the event took over. What the handler did may
 * be done twice, unless it was within a transaction that is rolled back or carried the context's `operationId`.
 */
export class WebhookLeaseLostError extends PaymentsError {
  static {
    defineErrorClass(this, 'WebhookLeaseLostError');
  }

  /** @internal */
  constructor(eventId: string, lease: number) {
    super(
      `webhooks: expected the handler of ${eventId} to end within its lease of ${lease} ms, got a later end after another delivery took over. Raise 'lease', or stop at context.signal.`,
      { code: 'WEBHOOK_LEASE_LOST', outcome: 'unknown' },
    );
  }
}
