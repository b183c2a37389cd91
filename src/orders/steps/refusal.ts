/** What the error of a call says of it. */

import { PaymentsError } from '../../base/errors.ts';

/** Whether nothing was executed. */
export function isUnsent(error: unknown): error is PaymentsError {
  return error instanceof PaymentsError && error.outcome === 'not_executed';
}

/** Whether the service refused a call for good. */
export function isFinalRefusal(error: unknown): error is PaymentsError {
  return isUnsent(error) && !error.retryable;
}
