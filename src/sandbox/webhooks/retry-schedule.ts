import { hour, minute, second } from '../../base/time.ts';
import { longest } from '../store/duration.ts';

/** The wait after each failed attempt, in milliseconds of the sandbox's clock. The interface shows none. */
const waits: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];

/**
 * Returns the wait after a number of failed attempts, in milliseconds; `undefined` when the delivery is given up.
 *
 * @param retryAfter The value of `Retry-After`, in seconds. It is capped at the longest advance of the clock.
 */
export function waitAfter(attempts: number, retryAfter = 0): number | undefined {
  const wait = waits[attempts - 1];
  return wait === undefined ? undefined : Math.min(longest, Math.max(wait, retryAfter * second));
}
