import type { WebAbortSignal } from './runtime/runtime.ts';

/** Lengths of time in ms. */
export const second = 1_000;
export const minute = 60_000;
export const hour = 3_600_000;
export const day = 86_400_000;

/** Why bounded work was given up. */
export class Interrupted extends Error {
  readonly reason: 'timeout' | 'aborted';

  constructor(reason: 'timeout' | 'aborted') {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Settles as the work does, unless a signal is aborted or the time is over first. The work itself goes on.
 *
 * @throws Interrupted when the signal is aborted or the time is over; else whatever the work throws.
 */
export function bounded<T>(
  work: Promise<T>,
  signal: WebAbortSignal | undefined,
  milliseconds?: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const interrupt = (reason: Interrupted['reason']) => {
      release();
      reject(new Interrupted(reason));
    };
    const onAbort = () => interrupt('aborted');
    const timer = milliseconds === undefined ? undefined : setTimeout(interrupt, milliseconds, 'timeout');
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    work.finally(release).then(resolve, reject);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A signal that is aborted with either of two. */
export interface EitherSignal {
  readonly signal: WebAbortSignal;
  /** Stops listening to both. */
  readonly release: () => void;
}

/** Joins two signals. Not by `AbortSignal.any`, which refuses signals of other classes. */
export function eitherSignal(one: WebAbortSignal, other: WebAbortSignal): EitherSignal {
  const either = new AbortController();
  const onAbort = () => either.abort((one.aborted ? one : other).reason);
  const both = [one, other];
  for (const signal of both) signal.addEventListener('abort', onAbort, { once: true });
  if (one.aborted || other.aborted) onAbort();
  const release = () => {
    for (const signal of both) signal.removeEventListener('abort', onAbort);
  };
  return { signal: either.signal, release };
}

/** Waits until the time is over or the signal is aborted. */
export async function wait(milliseconds: number, signal: WebAbortSignal | undefined): Promise<void> {
  try {
    await bounded(new Promise(() => {}), signal, milliseconds);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}
