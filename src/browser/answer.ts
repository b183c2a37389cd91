import { BrowserError } from './error.ts';
import type { WebAbortSignal } from './web-types.ts';

/** How long to wait for a script to call back. */
export interface Waiting {
  /** What is waited for, as messages name it. */
  readonly call: string;
  /** In ms. Default: for ever. */
  readonly timeout?: number | undefined;
  /** Ends the waiting. */
  readonly signal?: WebAbortSignal | undefined;
}

/** A promise of what a script calls back with, and what rejects it from outside. */
export interface Answer<T> {
  readonly promise: Promise<T>;
  readonly fail: (error: BrowserError) => void;
}

/**
 * Does something that runs code of the script.
 *
 * @throws BrowserError `script_failed` for whatever that throws.
 */
export function attempt<T>(call: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BrowserError) throw error;
    throw new BrowserError(
      'script_failed',
      `${call}: the script threw an error, which is the cause of this one.`,
      error,
    );
  }
}

/**
 * Calls a script that calls back, and waits. The first answer counts.
 *
 * @param begin Calls the script.
 * @param read Gives the value of an answer, or throws for one that is none.
 */
export function answerOf<T>(
  { call, timeout, signal }: Waiting,
  begin: (callback: (answer: unknown) => void) => void,
  read: (answer: unknown) => T,
): Answer<T> {
  let fail: Answer<T>['fail'] = () => {};
  const promise = new Promise<T>((resolve, reject) => {
    const onAbort = () => fail(new BrowserError('aborted', `${call}: ended by its signal.`, signal?.reason));
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

/** What a script called back with is not what it should be. It may hold anything, so it is not repeated. */
export function unexpected(call: string, expected: string): never {
  throw new BrowserError(
    'script_failed',
    `${call}: expected the script to call back with ${expected}, got something else.`,
  );
}
