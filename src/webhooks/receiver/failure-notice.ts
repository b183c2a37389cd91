import type { DeliveryFailure } from './report.ts';
import { nameOfEvent, textOfError } from './shown.ts';

/**
 * The part that failed. `receiver` covers verification, unreadable deliveries, and a call with the arguments of another
 * framework. `schema` is an event that was handled although its form differs from the interface.
 */
export type FailedPart = 'handler' | 'store' | 'receiver' | 'schema';

const noticed = new Set<FailedPart>();

/** Example: `the store failed on refund.failed evt_1`. */
export function nameOfFailure(part: FailedPart, { event }: DeliveryFailure): string {
  return `the ${part} failed on ${nameOfEvent({ type: event?.type, eventId: event?.id })}`;
}

/**
 * Writes the first failure of each part in this process to the console. Leaves out the error's message, which may quote
 * a body or a secret.
 */
export function noticeOnce(part: FailedPart, failure: DeliveryFailure): void {
  if (noticed.has(part)) return;
  noticed.add(part);
  const advice = 'Pass onError to webhooks.receiver() to log each failure';
  const failed = `payments-client: ${nameOfFailure(part, failure)} with ${textOfError(failure.error)}. ${advice}`;
  // biome-ignore lint/suspicious/noConsole: without onError no one else reports the failure
  console.error(`${failed}. This process logs no further failures of the ${part}.`);
}
