import { readDecimal } from './decimal.ts';

/**
 * Seconds that a response asks to wait: its `Retry-After`, as a number or as a date. `undefined` where it says
 * nothing that can be read.
 *
 * @param present The present time, in ms since 1970, for a date in a response that does not tell its own.
 */
export function readRetryAfter(
  headers: Pick<Headers, 'get'>,
  present: () => number = Date.now,
): number | undefined {
  const text = String(headers.get('retry-after'));
  // Enough digits are infinity, which is no number of seconds.
  if (readDecimal(text) !== undefined) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  // Every form of an HTTP date has a letter; `Date.parse` alone would take `-1` for a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // The sender's own clock, where it tells it, so that a wrong clock here does not matter.
  const now = Date.parse(String(headers.get('date')));
  return Math.max(0, (date - (Number.isNaN(now) ? present() : now)) / 1000);
}
