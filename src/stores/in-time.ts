import { bounded, Interrupted } from '../base/bounded.ts';
import { defineErrorClass, PaymentsError } from '../base/errors.ts';

/** The store did not respond in time. The call may still take effect in the store. */
export class StoreTimeoutError extends PaymentsError {
  static {
    defineErrorClass(this, 'StoreTimeoutError', {
      code: 'STORE_TIMEOUT',
      outcome: 'unknown',
      retryable: true,
    });
  }
}

/** Returns the error for a store that did not answer in time. */
export function storeTimedOut(milliseconds: number): StoreTimeoutError {
  return new StoreTimeoutError(`expected an answer within ${milliseconds} ms, got none`);
}

/**
 * Settles like a store operation, but fails after a timeout. The operation itself continues.
 *
 * @param undo Undoes the operation if it answers too late. Its failure is ignored.
 * @throws StoreTimeoutError when the answer comes too late, also if the process was paused meanwhile.
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
