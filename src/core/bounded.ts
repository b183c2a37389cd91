import type { WebAbortSignal } from './web-types.ts';

/** Why bounded work was given up. */
export class Interrupted extends Error {
  readonly reason: 'timeout' | 'aborted';

  constructor(reason: 'timeout' | 'aborted') {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Runs work until it settles, its time is up, or the caller's signal is aborted, whichever is first. It does not
 * rely on the work to heed its own signal, since a `fetch` that comes from outside may not.
 *
 * @throws Interrupted when the time is up or the signal is aborted; else whatever the work throws.
 */
export async function bounded<T>(
  milliseconds: number,
  signal: WebAbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw new Interrupted('aborted');
  const controller = new AbortController();
  let interrupt: (reason: 'timeout' | 'aborted') => void = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = (reason) => {
      const error = new Interrupted(reason);
      // Rejecting first, so that what the work throws when it is aborted comes second.
      reject(error);
      controller.abort(error);
    };
  });
  const onAbort = () => interrupt('aborted');
  const timer = setTimeout(() => interrupt('timeout'), milliseconds);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(controller.signal), interrupted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Waits.
 *
 * @throws Interrupted when the signal is aborted meanwhile.
 */
export async function wait(milliseconds: number, signal: WebAbortSignal | undefined): Promise<void> {
  await bounded(milliseconds, signal, () => new Promise(() => {})).catch((error: unknown) => {
    if (!(error instanceof Interrupted && error.reason === 'timeout')) throw error;
  });
}
