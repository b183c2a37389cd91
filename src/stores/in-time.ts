import { bounded, Interrupted } from '../base/bounded.ts';
import { PaymentsError } from '../base/errors.ts';

const code = 'STORE_TIMEOUT';

/** Returns the error for a store that did not answer in time. The call may still take effect in the store. */
export function storeTimedOut(milliseconds: number): PaymentsError {
  const message = `expected an answer of the store within ${milliseconds} ms, got none`;
  return new PaymentsError(message, { code, outcome: 'unknown', retryable: true });
}

/** Whether the store did not answer in time. */
export function isStoreTimeout(error: unknown): boolean {
  return error instanceof PaymentsError && error.code === code;
}

/**
 * Settles like a store operation, but fails after a timeout. The operation itself continues.
 *
 * @param undo Undoes the operation if it answers too late. Its failure is ignored.
 * @throws PaymentsError `STORE_TIMEOUT` when the answer comes too late, also if the process was paused meanwhile.
 */
export async function inTime<T>(
  answer: Promise<T>,
  milliseconds: number,
  undo?: (late: T) => unknown,
): Promise<T> {
  const askedAt = performance.now();
  try {
    const value = await bounded(answer, undefined, milliseconds);
    if (performance.now() - askedAt > milliseconds) throw new Interrupted('timeout');
    return value;
  } catch (error) {
    if (undo !== undefined) answer.then(undo).catch(() => undefined);
    throw error instanceof Interrupted ? storeTimedOut(milliseconds) : error;
  }
}
