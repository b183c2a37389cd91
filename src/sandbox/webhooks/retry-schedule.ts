import { hour, minute, second } from '../../base/time.ts';
import { longest } from '../store/duration.ts';

/** How long to wait after each failed attempt, in milliseconds of the sandbox's time. The interface shows none. */
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
 * How long to wait after so many failed attempts, in milliseconds; `undefined` where it is given up.
 *
 * @param retryAfter What the endpoint asks for, in seconds. The clock cannot reach a time that is further away than its longest move.
 */
export function waitAfter(attempts: number, retryAfter = 0): number | undefined {
  const wait = waits[attempts - 1];
  return wait === undefined ? undefined : Math.min(longest, Math.max(wait, retryAfter * second));
}
