import { invalidRequest } from '../base/errors.ts';
import { maxTimer } from '../base/numbers.ts';
import type { WebAbortSignal } from '../base/runtime/runtime.ts';
import { optionIssues, optionsOf, timeFrom, unchecked } from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { eitherSignal, wait } from '../base/time.ts';
import type { RequestOptions } from '../http/client/options.ts';
import { abortedBySignal, TimeoutError, timeoutOf } from '../http/failure/call-errors.ts';

/** Options of `waitFor`. */
export interface WaitOptions {
  /** The pause after the first request, in ms. It doubles after each request, up to 10 seconds. Default: 500. */
  readonly interval?: number | undefined;
  /** The time limit of the whole wait, in ms. Default: 60000. */
  readonly timeout?: number | undefined;
  /** Aborts the wait, which then throws a `RequestAbortedError`. */
  readonly signal?: WebAbortSignal | undefined;
}

const optionsSchema = /* @__PURE__ */ optionsOf<WaitOptions>(() => ({
  interval: s.optional(timeFrom(1, maxTimer)),
  timeout: s.optional(timeFrom(1, maxTimer)),
  // Each request checks it.
  signal: unchecked(),
}));

const longestPause = 10_000;

/** Returns a sentence with the status of an object. A text that is no status may be anything. */
function lastSeen(resource: unknown): string | undefined {
  const status: unknown = Reflect.get(Object(resource), 'status');
  const isWord = typeof status === 'string' && /^[a-z][a-z_]{0,39}$/.test(status);
  return isWord ? `Its last status was '${status}'.` : undefined;
}

/**
 * Polls until the resource is done.
 *
 * @param ended Is aborted when the client ends.
 * @throws TimeoutError with the code `WAIT_TIMEOUT` when that takes longer than `timeout`.
 * @throws RequestAbortedError when the signal is aborted.
 */
export async function poll<T>(
  operation: string,
  fetchOnce: (options: RequestOptions) => PromiseLike<T>,
  isDone: (resource: T) => boolean | PromiseLike<boolean>,
  options: WaitOptions,
  ended: WebAbortSignal,
): Promise<T> {
  const { interval = 500, timeout = 60_000, signal } = options;
  const issues = optionIssues('options', optionsSchema, options);
  if (issues.length > 0) throw invalidRequest(operation, issues);
  const startedAt = performance.now();
  // A long interval must not end the wait early.
  const closeEnough = Math.min(interval, timeout / 10);
  const remaining = () => timeout - (performance.now() - startedAt);
  const facts = { operation, method: 'GET', movesMoney: false, idempotencyKey: undefined } as const;
  let hint: string | undefined;
  const timedOut = (attempts: number, cause?: TimeoutError) =>
    timeoutOf(
      { ...facts, attempts },
      'WAIT_TIMEOUT',
      timeout,
      { cause, hint },
      'object in the awaited state',
    );
  for (let attempts = 1, pause = interval; ; attempts += 1, pause = Math.min(longestPause, pause * 2)) {
    const totalTimeout = Math.max(1, Math.ceil(remaining()));
    const resource = await fetchOnce({ signal, totalTimeout }).then(undefined, (error: unknown) => {
      const isLate = error instanceof TimeoutError && error.code === 'TOTAL_TIMEOUT';
      throw isLate ? timedOut(attempts, error) : error;
    });
    if (await isDone(resource)) return resource;
    hint = lastSeen(resource);
    const left = remaining();
    if (left <= closeEnough) {
      throw timedOut(attempts);
    }
    // Shorter pauses towards the end, so that the last attempt is close to it.
    const either = signal && eitherSignal(signal, ended);
    // After the client's end, the next request is refused.
    await wait(Math.min(pause, left / 2), either?.signal ?? ended);
    either?.release();
    if (signal?.aborted) {
      throw abortedBySignal({ ...facts, attempts }, { cause: signal.reason });
    }
  }
}
