import { PaymentsError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { bounded, Interrupted } from '../base/time.ts';
import type { Claimed } from './store.ts';

const code = 'STORE_TIMEOUT';

/** The answers of calls that timed out, by their errors. */
const lateAnswers = /* @__PURE__ */ new WeakMap<object, Promise<unknown>>();

/** Returns the error for a store that did not answer in time. The call may still take effect in the store. */
export function storeTimedOut(milliseconds: number): PaymentsError {
  const message = `expected an answer of the store within ${milliseconds} ms, got none`;
  return new PaymentsError(message, { code, retryable: true });
}

/** Whether the store did not answer in time. */
export function isStoreTimeout(error: unknown): boolean {
  return error instanceof PaymentsError && error.code === code;
}

/**
 * Settles like a store operation, but fails after a timeout. The operation itself continues.
 *
 * @throws PaymentsError `STORE_TIMEOUT` when the answer comes too late, also if the process was paused meanwhile.
 */
export async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  const askedAt = performance.now();
  try {
    const value = await bounded(answer, undefined, milliseconds);
    if (performance.now() - askedAt > milliseconds) throw new Interrupted('timeout');
    return value;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const timedOut = storeTimedOut(milliseconds);
    lateAnswers.set(timedOut, answer);
    throw timedOut;
  }
}

function isGranted(answer: unknown): answer is Claimed {
  return isRecord(answer) && answer['status'] === 'claimed';
}

/**
 * Undoes a claim that failed with a `STORE_TIMEOUT` and is granted later. Ignores every other error, and a failure to undo.
 *
 * @param error What the claim threw.
 */
export function whenLate(error: unknown, undo: (granted: Claimed) => unknown): void {
  const answer = error instanceof PaymentsError ? lateAnswers.get(error) : undefined;
  answer
    // The answer of a bounded store may time out too.
    ?.then(
      (late) => (isGranted(late) ? undo(late) : undefined),
      (later: unknown) => whenLate(later, undo),
    )
    .catch(() => undefined);
}
