import { defineErrorClass, PaymentsError } from '../base/errors.ts';

/** The store did not answer in time. The operation may still take effect in the store. */
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
 * Settles as an operation of a store does, and fails after a time. The operation itself goes on.
 *
 * @param undo Undoes what the operation did, once it answers too late. A failure of it is ignored.
 * @throws StoreTimeoutError when the answer comes too late, also where the process was stopped meanwhile.
 */
export async function inTime<T>(
  answer: Promise<T>,
  milliseconds: number,
  undo?: (late: T) => unknown,
): Promise<T> {
  const askedAt = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StoreTimeoutError(milliseconds)), milliseconds);
  });
  try {
    const value = await Promise.race([answer, timeout]);
    if (performance.now() - askedAt > milliseconds) throw new StoreTimeoutError(milliseconds);
    return value;
  } catch (error) {
    if (undo !== undefined) answer.then(undo).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
