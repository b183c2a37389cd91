import { bounded, Interrupted } from '../base/bounded.ts';
import { defineErrorClass, PaymentsError } from '../base/errors.ts';

/** The store did not respond in time. The call may still take effect in the store. */
export class StoreTimeoutError extends PaymentsError {
  static {
    defineErrorClass(this, 'StoreTimeoutError');
  }

  /** @internal */
  constructor(milliseconds: number) {
    super(`expected an answer within ${milliseconds} ms, got none`, {
      code: 'STORE_TIMEOUT',
      outcome: 'unknown',
      retryable: true,
    });
  }
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
    throw error instanceof Interrupted ? new StoreTimeoutError(milliseconds) : error;
  }
}
