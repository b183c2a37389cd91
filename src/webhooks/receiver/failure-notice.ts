import { PaymentsError } from '../../base/errors.ts';
import type { DeliveryFailure } from './report.ts';
import { nameOfEvent, textOfError } from './shown.ts';

/**
 * The part that failed. `verification` is a refused delivery. `receiver` covers unreadable deliveries, and a call with the
 * arguments of another framework. `schema` is an event that was handled although its form differs from the interface.
 */
export type FailedPart = 'handler' | 'queue' | 'store' | 'verification' | 'receiver' | 'schema';

const noticed = new Set<FailedPart>();

/** Example: `the store failed on refund.failed evt_1`. */
export function nameOfFailure(part: FailedPart, { event }: DeliveryFailure): string {
  return `the ${part} failed on ${nameOfEvent({ type: event?.type, eventId: event?.id })}`;
}

/** Returns the message of an error of ours, which holds no secret. Other messages may quote a body or a secret. */
function causeOf(error: unknown): string {
  return error instanceof PaymentsError ? error.message : `${textOfError(error)}.`;
}

/** Writes the first failure of each part in this process to the console. */
export function noticeOnce(part: FailedPart, failure: DeliveryFailure): void {
  if (noticed.has(part)) return;
  noticed.add(part);
  const advice = 'Pass onError to webhooks.receiver() to log each failure';
  const failed = `payments-client: ${nameOfFailure(part, failure)}: ${causeOf(failure.error)} ${advice}`;
  // biome-ignore lint/suspicious/noConsole: without onError no one else reports the failure
  console.error(`${failed}. This process logs no further failures of the ${part}.`);
}
