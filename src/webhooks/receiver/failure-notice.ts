import { Redactor } from '../../base/redact.ts';
import type { WebhookEvent } from '../events/event.ts';
import { errorName } from './error-name.ts';
import type { DeliveryFailure } from './report.ts';

/**
 * The part that failed. `receiver` covers the verification, what could not be read, and a call with the arguments of another framework;
 * `schema` an event that was handled though its form differs from the interface.
 */
export type FailedPart = 'handler' | 'store' | 'receiver' | 'schema';

const redactor = new Redactor();
const noticed = new Set<FailedPart>();

function eventName(event: WebhookEvent | undefined): string {
  if (event === undefined) return 'a delivery';
  const type = redactor.code(event.type) ?? 'an event';
  return `${type} ${redactor.id(event.id) ?? '(its id looks like a secret)'}`;
}

/**
 * Writes the first failure of each part in this process to the console. It leaves out the error's message, which may quote a body or a
 * secret.
 */
export function noticeOnce(part: FailedPart, { error, event }: DeliveryFailure): void {
  if (noticed.has(part)) return;
  noticed.add(part);
  const failed = `payments-client: the ${part} failed on ${eventName(event)} with ${errorName(error)}.`;
  const advice = 'Pass onError to webhooks.receiver() to log each failure';
  // biome-ignore lint/suspicious/noConsole: without onError no one else reports the failure
  console.error(`${failed} ${advice}. This process writes no other failure of the ${part}.`);
}
