import type { PaymentsError } from '../base/errors.ts';
import { readRetryAfter } from '../base/retry-after.ts';
import { ApiError } from './api-errors.ts';
import { ConnectionError, TimeoutError } from './call-errors.ts';

/** The wait before the first retry is at most this, in ms; it doubles with each further one. */
const baseWait = 500;
const maxWait = 8_000;

/** Whether a failed attempt of a call that may be repeated is followed by another one. An allow-list. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TimeoutError) return error.code === 'ATTEMPT_TIMEOUT';
  return (error instanceof ConnectionError || error instanceof ApiError) && error.retryable;
}

/**
 * Whether the request of this failure never left, so that even one that cannot be repeated may be sent again.
 */
export function neverLeft(error: unknown): boolean {
  const isOfNetwork = error instanceof ConnectionError || error instanceof TimeoutError;
  return isOfNetwork && isTransient(error) && error.outcome === 'not_executed';
}

/**
 * How long to wait before the next attempt, in ms: what the service asks for, else an exponential back-off with
 * full jitter, which spreads callers that failed together.
 */
export function waitBefore(attempt: number, error: PaymentsError): number {
  const asked = error instanceof ApiError ? readRetryAfter(error.headers) : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.random() * Math.min(maxWait, baseWait * 2 ** (attempt - 1));
}

/** How attempts follow each other. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** Called after a failure that may be retried. It waits and answers true for one more attempt, or answers false. */
  readonly prepareNext: (error: unknown) => Promise<boolean>;
}

/** Runs an attempt until it succeeds or must not be repeated. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { maxRetries, prepareNext }: RetryPolicy,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (retries >= maxRetries || !(await prepareNext(error))) throw error;
    }
  }
}
