import { PaymentsError } from '../../base/errors.ts';

const code = 'WEBHOOK_LEASE_LOST';

/**
 * Returns the error for a handler that outlived its lease of `lease` milliseconds, so that another delivery took over. Its effects
 * may happen twice, unless they were part of a transaction that rolls back or used the context's `operationId`.
 */
export function leaseLost(eventId: string, lease: number, hasSignal = true): PaymentsError {
  const problem = `expected the handler of ${eventId} to end within its lease of ${lease} ms, but another delivery took over.`;
  const advice = hasSignal ? 'stop at context.signal' : 'shorten the handler';
  return new PaymentsError(`webhooks: ${problem} Raise 'lease', or ${advice}.`, { code, outcome: 'unknown' });
}

/** Whether another delivery took over. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof PaymentsError && error.code === code;
}
