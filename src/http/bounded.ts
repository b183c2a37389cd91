import type { WebAbortSignal } from '../base/web-types.ts';

/** Why bounded work was given up. */
export class Interrupted extends Error {
  readonly reason: 'timeout' | 'aborted';
  /** Whether it came before anything was sent, provably. */
  readonly neverLeft: boolean;

  constructor(reason: 'timeout' | 'aborted', neverLeft: boolean) {
    super(reason);
    this.reason = reason;
    this.neverLeft = neverLeft;
  }
}

/** How work learns that it was given up. */
export interface Interruption {
  /** For work that heeds a signal. It is made when it is first asked for, since one costs as much as a small request. */
  readonly signal: AbortSignal;
  /** Whether it was given up. */
  readonly isOver: boolean;
  /**
   * Calls back when the work is given up; at most once, and never after it settled. The callback answers whether anything may
   * have been sent by then; where there is none, it may.
   */
  onInterrupt(callback: () => boolean): void;
}

/** Work that is given up when its time is over or a signal is aborted. */
class Bound<T> implements Interruption {
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: WebAbortSignal | undefined;
  readonly #onAbort = () => this.#interrupt('aborted');
  readonly #timer: ReturnType<typeof setTimeout>;
  #controller: AbortController | undefined;
  #callback: (() => boolean) | undefined;
  #isOver = false;

  constructor(
    milliseconds: number,
    signal: WebAbortSignal | undefined,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#interrupt('timeout'), milliseconds);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  onInterrupt(callback: () => boolean): void {
    this.#callback = callback;
  }

  run(work: (interruption: Interruption) => Promise<T>): void {
    work(this).then(
      (value) => {
        this.#release();
        this.#resolve(value);
      },
      (error: unknown) => {
        this.#release();
        this.#reject(error);
      },
    );
  }

  #interrupt(reason: 'timeout' | 'aborted'): void {
    this.#isOver = true;
    this.#release();
    const mayHaveLeft = this.#callback?.() ?? true;
    const error = new Interrupted(reason, !mayHaveLeft);
    // Before the signal is aborted, so that what the work throws then comes second.
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

/**
 * Runs work until it settles, its time is up, or the caller's signal is aborted, whichever is first. It does not
 * rely on the work to heed its own interruption, since a `fetch` that comes from outside may not.
 *
 * @throws Interrupted when the time is up or the signal is aborted; else whatever the work throws.
 */
export function bounded<T>(
  milliseconds: number,
  signal: WebAbortSignal | undefined,
  work: (interruption: Interruption) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) reject(new Interrupted('aborted', true));
    else new Bound<T>(milliseconds, signal, resolve, reject).run(work);
  });
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
