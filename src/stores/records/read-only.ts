import { PaymentsError } from '../../base/errors.ts';

/** Returns the error for a server that takes no writes. Retryable: after a failover the client soon finds the primary. */
export function readOnlyStore(path: string, received: string, cause: unknown): PaymentsError {
  const message = `${path}: expected the primary, got ${received}, which takes no writes. Nothing was recorded: pass a client of the primary.`;
  return new PaymentsError(message, { code: 'STORE_READ_ONLY', retryable: true, cause });
}
