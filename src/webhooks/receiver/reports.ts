import { isolate } from '../../base/isolate.ts';
import { type Logger, writeLine } from '../../base/logger.ts';
import { type FailedPart, nameOfFailure, noticeOnce } from './failure-notice.ts';
import type { CommonReceiverOptions } from './options.ts';
import type { DeliveryFailure, DeliveryOutcome, DeliveryReport } from './report.ts';
import { nameOfEvent, shownError, shownEvent } from './shown.ts';

/** The observers of a receiver. Their errors are ignored: a failing log must not make the service redeliver the event. */
export type Watchers = Pick<CommonReceiverOptions<never, never>, 'onError' | 'onDelivery' | 'logger'>;

/** The log level of each outcome. Anyone can send a delivery that is refused. */
const levels: Readonly<Record<DeliveryOutcome, keyof Logger>> = {
  handled: 'debug',
  enqueued: 'debug',
  duplicate: 'debug',
  ignored: 'debug',
  in_progress: 'debug',
  refused: 'info',
  unreadable: 'warn',
  failed: 'error',
};

/**
 * Reports a failure to `onError`. Without `onError` and a logger, writes the first failure of each part to the console.
 * Of refused deliveries too only the first, since anyone can send one. The logger receives the failure with the report
 * of its delivery.
 */
export function reportFailure(
  { onError, logger }: Watchers,
  part: FailedPart,
  failure: DeliveryFailure,
): void {
  const { error, event, outcome } = failure;
  if (onError !== undefined) isolate(() => onError(failure));
  else if (logger === undefined) {
    isolate(() => noticeOnce(outcome === 'refused' ? 'verification' : part, failure));
  }
  if (part !== 'schema') return;
  isolate(() => {
    const name = nameOfEvent({ type: event?.type, eventId: event?.id });
    const message = `webhooks: ${name} differs from the interface; it was handled as it is`;
    writeLine(logger, 'warn', message, { error: shownError(error) });
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
