import { BrowserError } from './error.ts';
import type { WebAbortSignal } from './web-types.ts';

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
    throw new BrowserError('script_failed', `${call}: the script threw an error: see the cause.`, error);
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
  const promise = new Promise<T>((resolve, reject) => {
    const onAbort = () =>
      fail(new BrowserError('aborted', `${call}: aborted by its signal.`, signal?.reason));
    const onTimeout = () =>
      fail(new BrowserError('timeout', `${call}: expected an answer within ${timeout} ms, got none.`));
    const timer = timeout === undefined ? undefined : setTimeout(onTimeout, timeout);
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const settle = (work: () => void) => {
      try {
        work();
      } catch (error) {
        end();
        reject(error);
      }
    };
    fail = (error) =>
      settle(() => {
        throw error;
      });
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    const callback = (answer: unknown) =>
      settle(() => {
        resolve(read(answer));
        end();
      });
    settle(() => attempt(call, () => begin(callback)));
  });
  return { promise, fail };
}

/** Refuses an unexpected callback value. It may contain anything, so it is not quoted. */
export function unexpected(call: string, expected: string): never {
  throw new BrowserError(
    'script_failed',
    `${call}: expected the script to call back with ${expected}, got something else.`,
  );
}
