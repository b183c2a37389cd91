import { type FailedPart, noticeOnce } from './failure-notice.ts';
import type { CommonReceiverOptions } from './options.ts';
import type { DeliveryFailure, DeliveryReport } from './report.ts';

/** Calls a function of the user. A log that fails must not make the service deliver the event again. */
function tell<Told>(listener: (told: Told) => unknown, told: Told): void {
  try {
    const result: unknown = listener(told);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // As above.
  }
}

/**
 * Reports a failure to `onError`, or to the console without one. A refused delivery never reaches the console, since anyone can send it.
 */
export function reportFailure(
  { onError }: Pick<CommonReceiverOptions<never, never>, 'onError'>,
  part: FailedPart,
  failure: DeliveryFailure,
): void {
  if (onError !== undefined) tell(onError, failure);
  else if (failure.outcome !== 'refused') tell((told) => noticeOnce(part, told), failure);
}

/** Reports what became of a delivery: the one place that every delivery passes, whatever its framework and its end. */
export function reportDelivery(
  { onDelivery }: Pick<CommonReceiverOptions<never, never>, 'onDelivery'>,
  delivery: DeliveryReport,
): void {
  if (onDelivery !== undefined) tell(onDelivery, delivery);
}
