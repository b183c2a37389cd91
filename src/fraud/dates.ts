import { day } from '../base/time.ts';
import { refuseType } from './refuse.ts';

const date = /^\d{4}-\d\d-\d\d(?:$|T)/;
/** Hours below 24, minutes below 60, and seconds up to the leap second. */
const timestamp =
  /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns the number of days from 1970 to a date, ignoring a time after it; `undefined` if the date does not exist. */
function dayNumber(text: string): number | undefined {
  const written = text.slice(0, 10);
  const time = Date.parse(written);
  if (!date.test(text) || Number.isNaN(time)) return undefined;
  // The 30th of February would otherwise become a day in March.
  return new Date(time).toISOString().startsWith(written) ? time / day : undefined;
}

/** Returns whether a value is a calendar date, such as `2026-12-31`, or a time on one. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || dayNumber(value) === undefined) return false;
  return value.length === 10 || timestamp.test(value);
}

/** Returns whether a value is a time in ISO 8601. */
export function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string' || !timestamp.test(value)) return false;
  return dayNumber(value.slice(0, 10)) !== undefined;
}

/**
 * Returns the number of days from 1970 to a date.
 *
 * @throws TypeError for a value that is not a date.
 */
export function parseDate(path: string, value: unknown): number {
  const days = isDate(value) ? dayNumber(value) : undefined;
  if (days !== undefined) return days;
  return refuseType(path, "a date such as '2026-12-31'", value);
}
