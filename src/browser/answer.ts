import type { WebAbortSignal } from '../base/runtime/runtime.ts';
import { bounded, Interrupted } from '../base/time.ts';
import { BrowserError } from './error.ts';

/** How long to wait for a callback of a script. */
export interface Waiting {
  /** The call's name in messages. */
  readonly call: string;
  /** In ms. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Aborts the wait. */
  readonly signal?: WebAbortSignal | undefined;
}

/** A promise of a callback's value, which can be rejected from outside. */
export interface Answer<T> {
  readonly promise: Promise<T>;
  readonly fail: (error: BrowserError) => void;
}

/**
 * Runs code of the script.
 *
 * @throws BrowserError `script_failed` for any error that it throws.
 */
export function attempt<T>(call: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BrowserError) throw error;
    throw new BrowserError(`${call}: the script threw an error: see the cause.`, {
      code: 'script_failed',
      cause: error,
    });
  }
}

/**
 * Calls a script that calls back, and waits. The first answer counts.
 *
 * @param begin Calls the script.
 * @param read Returns the value of an answer, or throws for an invalid one.
 */
export function answerOf<T>(
  { call, timeout, signal }: Waiting,
  begin: (callback: (answer: unknown) => void) => void,
  read: (answer: unknown) => T,
): Answer<T> {
  let fail: Answer<T>['fail'] = () => {};
  const answered = new Promise<T>((resolve, reject) => {
    fail = reject;
    if (signal?.aborted) return;
    const callback = (answer: unknown) => {
      try {
        resolve(read(answer));
      } catch (error) {
        reject(error);
      }
    };
    attempt(call, () => begin(callback));
  });
  const promise = bounded(answered, signal, timeout).catch((error: unknown) => {
    if (!(error instanceof Interrupted)) throw error;
    if (error.reason === 'aborted') {
      throw new BrowserError(`${call}: aborted by its signal.`, { code: 'aborted', cause: signal?.reason });
    }
    throw new BrowserError(`${call}: expected an answer within ${timeout} ms, got none.`, {
      code: 'timeout',
    });
  });
  return { promise, fail };
}

/** Refuses an unexpected callback value. It may contain anything, so it is not quoted. */
export function unexpected(call: string, expected: string): never {
  throw new BrowserError(`${call}: expected the script to call back with ${expected}, got something else.`, {
    code: 'script_failed',
  });
}
