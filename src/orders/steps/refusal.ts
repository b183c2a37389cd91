/** What the error of a call says of it. */

import { ConfigurationError, PaymentsError } from '../../base/errors.ts';
import { AuthenticationError, PermissionError } from '../../http/failure/api-errors.ts';
import { CallError } from '../../http/failure/call-errors.ts';

/** Whether the client did not send a call, since it is at its bound or at its end. */
export function isShed(error: unknown): error is CallError {
  if (!(error instanceof CallError) || error.attempts > 0) return false;
  return error.code === 'TOO_MANY_CALLS' || error.code === 'CLIENT_CLOSED';
}

/** Whether nothing was executed. */
export function isUnsent(error: unknown): error is PaymentsError {
  if (error instanceof ConfigurationError || isShed(error)) return true;
  // Its outcome is that of all calls of an operation. Here each operation is sent by one.
  if (error instanceof PaymentsError && error.code === 'JOURNAL_UNAVAILABLE') return true;
  return error instanceof PaymentsError && error.outcome === 'not_executed';
}

/** Whether an error is about the client, and not about the call: it is sent once the client is mended. */
function isOfClient(error: PaymentsError): boolean {
  const types = [ConfigurationError, AuthenticationError, PermissionError];
  return isShed(error) || types.some((type) => error instanceof type);
}

/** Whether the service refused a call for good. */
export function isFinalRefusal(error: unknown): error is PaymentsError {
  return isUnsent(error) && !error.retryable && !isOfClient(error);
}
