import pRetry from 'p-retry';
import { wait } from '../base/bounded.ts';
import { PaymentsError } from '../base/errors.ts';
import { ApiError } from './api-errors.ts';
import { attempt, attemptEvent, remainingTime } from './attempt.ts';
import type { PreparedCall, Progress, Sent } from './call.ts';
import { ConnectionError, TimeoutError, tieToCall } from './call-errors.ts';
import { isRepeatable } from './repeatable.ts';

/** The wait before the first retry is at most this, in ms; it doubles with each further one. */
const baseWait = 500;
const maxWait = 8_000;

/**
 * Sends a call until it succeeds or fails for good.
 *
 * @throws PaymentsError for the last failure, with the outcome of all attempts together.
 */
export function sendWithRetries(call: PreparedCall): Promise<Sent> {
  const progress: Progress = { attempts: 0, outcome: 'not_executed' };
  // It gets no signal: a result that comes while one is aborted would be lost.
  return pRetry(() => attempt(call, progress), {
    retries: call.bounds.maxRetries,
    shouldRetry: ({ error }) => prepareRetry(call, progress, error),
    // All waiting is done by `prepareRetry`.
    minTimeout: 0,
  });
}

/** Whether a failure may pass by itself. An allow-list. */
function isTransient(error: PaymentsError): boolean {
  if (error instanceof TimeoutError) return error.code === 'ATTEMPT_TIMEOUT';
  return (error instanceof ConnectionError || error instanceof ApiError) && error.retryable;
}

/** Whether the request never left, so that even one that cannot be repeated may be sent again. */
function neverLeft(error: PaymentsError): boolean {
  const isOfNetwork = error instanceof ConnectionError || error instanceof TimeoutError;
  return isOfNetwork && error.outcome === 'not_executed';
}

/**
 * Returns the wait before the next attempt, in ms: what the service asks for, else an exponential back-off with full jitter, which
 * spreads callers that failed together.
 */
function waitAfter(attempts: number, error: PaymentsError): number {
  if (error.retryAfter !== undefined) return error.retryAfter * 1000;
  return Math.random() * Math.min(maxWait, baseWait * 2 ** (attempts - 1));
}

/** Waits before the next attempt and answers true, or answers false where there is to be none. */
async function prepareRetry(call: PreparedCall, progress: Progress, error: Error): Promise<boolean> {
  if (!(error instanceof PaymentsError) || !isTransient(error)) return false;
  const { request, idempotencyKey, identity } = call;
  if (!isRepeatable({ method: request.method, idempotencyKey }) && !neverLeft(error)) return false;
  const pause = waitAfter(progress.attempts, error);
  // A shortened wait would come too early, so where it does not fit, the call ends here.
  if (pause >= remainingTime(call)) return false;
  tieToCall(error, identity.callId);
  const { requestId } = error;
  call.connection.observer.emit('retry', () => ({
    ...attemptEvent(call, progress),
    error,
    requestId,
    wait: pause,
  }));
  // After an abort the next attempt throws before it sends anything.
  await wait(pause, call.options.signal);
  return true;
}
