/**
 * Returns the seconds that a response asks to wait: its `Retry-After`, as a number or as a date; `undefined` if there is none, or it is
 * neither.
 *
 * @param present The present time, in ms since 1970, for a date in a response without a date of its own.
 */
export function readRetryAfter(headers: Pick<Headers, 'get'>, present: () => number): number | undefined {
  const text = String(headers.get('retry-after'));
  // Enough digits are infinity, which is no number of seconds.
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  // Every form of an HTTP date has a letter; `Date.parse` alone would read `-1` as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // The sender's own clock, if the response has its time, so that a wrong clock here does not matter.
  const now = Date.parse(String(headers.get('date')));
  return Math.max(0, (date - (Number.isNaN(now) ? present() : now)) / 1000);
}
