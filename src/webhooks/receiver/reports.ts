import { PaymentsError } from '../../base/errors.ts';
import { isolate } from '../../base/isolate.ts';
import { type Logger, writeLine } from '../../base/logger.ts';
import type { ActiveOptions } from './options.ts';
import type { DeliveryFailure, DeliveryOutcome, DeliveryReport } from './report.ts';
import { nameOfEvent, shownError, shownEvent, textOfError } from './shown.ts';

/**
 * The part that failed. `verification` is a refused delivery. `receiver` covers bodies that no handler can read, and a call with
 * the arguments of another framework. `schema` is an event that was handled although its form differs from the interface.
 */
export type FailedPart = 'handler' | 'queue' | 'store' | 'verification' | 'receiver' | 'schema';

/** The observers of a receiver. Their errors are ignored: a failing log must not make the service redeliver the event. */
export type Watchers = Pick<ActiveOptions<never>, 'onError' | 'onDelivery' | 'logger'>;

/** The log level of each outcome. Anyone can send a delivery that is refused. */
const levels: Readonly<Record<DeliveryOutcome, keyof Logger>> = {
  handled: 'debug',
  enqueued: 'debug',
  duplicate: 'debug',
  in_progress: 'debug',
  refused: 'info',
  failed: 'error',
};

const noticed = new Set<FailedPart>();

/** Example: `the store failed on refund.failed evt_1`. */
function nameOfFailure(part: FailedPart, { event }: DeliveryFailure): string {
  return `the ${part} failed on ${nameOfEvent({ type: event?.type, eventId: event?.id })}`;
}

/** Returns the message of an error of ours, which holds no secret. Other messages may quote a body or a secret. */
function causeOf(error: unknown): string {
  return error instanceof PaymentsError ? error.message : `${textOfError(error)}.`;
}

/** Writes the first failure of each part in this process to the console. */
function noticeOnce(part: FailedPart, failure: DeliveryFailure): void {
  if (noticed.has(part)) return;
  noticed.add(part);
  const advice = 'Pass onError to webhooks.receiver() to log each failure';
  const failed = `payments-client: ${nameOfFailure(part, failure)}: ${causeOf(failure.error)} ${advice}`;
  // biome-ignore lint/suspicious/noConsole: without onError no one else reports the failure
  console.error(`${failed}. This process logs no further failures of the ${part}.`);
}

/**
 * Reports a failure to `onError`. Without `onError` and a logger, writes the first failure of each part to the console.
 * The logger receives the failure with the report of its delivery.
 */
export function reportFailure(
  { onError, logger }: Watchers,
  part: FailedPart,
  failure: DeliveryFailure,
): void {
  if (onError !== undefined) isolate(() => onError(failure));
  else if (logger === undefined) isolate(() => noticeOnce(part, failure));
}

/** Reports an event that was handled although its form differs from the interface. */
export function reportDrift(watchers: Watchers, failure: DeliveryFailure): void {
  reportFailure(watchers, 'schema', failure);
  isolate(() => {
    const { event, error } = failure;
    const name = nameOfEvent({ type: event?.type, eventId: event?.id });
    const message = `webhooks: ${name} differs from the interface; it was handled as it is`;
    writeLine(watchers.logger, 'warn', message, { error: shownError(error) });
  });
}

/** Reports a failure outside the report of a delivery: a wrongly mounted receiver, or a claim that could not be released. */
export function reportLoneFailure(watchers: Watchers, part: FailedPart, failure: DeliveryFailure): void {
  reportFailure(watchers, part, failure);
  isolate(() => {
    const error = shownError(failure.error);
    writeLine(watchers.logger, 'error', `webhooks: ${nameOfFailure(part, failure)}`, { part, error });
  });
}

function fieldsOf(report: DeliveryReport): object {
  const error = report.error === undefined ? undefined : shownError(report.error);
  const fields = { ...report, ...shownEvent(report), error };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reports the outcome of a delivery. Every delivery passes through here, whatever its framework and outcome. */
export function reportDelivery({ onDelivery, logger }: Watchers, report: DeliveryReport): void {
  if (onDelivery !== undefined) isolate(() => onDelivery(report));
  if (logger === undefined) return;
  isolate(() => {
    const message = `webhooks: ${nameOfEvent(report)} ${report.outcome}`;
    writeLine(logger, levels[report.outcome], message, fieldsOf(report));
  });
}
