/** Days and times in ISO 8601, as the service's events write them. */

import * as s from '../../base/schema/schema.ts';
import { dateOf } from '../../resources/fields/timestamps.ts';

const day = /^\d{4}-\d\d-\d\d$/;
/** Hours below 24, minutes below 60, and seconds up to the leap second. */
const timestamp =
  /^\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Returns whether a text is a day that exists, such as `2026-12-31`. */
function isDay(text: string): boolean {
  // The 30th of February becomes a day in March, and the 13th month no date at all.
  return day.test(text) && new Date(text).getUTCDate() === Number(text.slice(-2));
}

function isTimestamp(text: string): boolean {
  return timestamp.test(text) && isDay(text.slice(0, 10));
}

/** From 2001 on. A smaller integer is no time of an event. */
const firstTimestamp = 1e9;

/** Returns a time in ISO 8601, or an integer timestamp in either unit (*inferred*); `undefined` for anything else. */
export function readTime(value: unknown): Date | undefined {
  const isTime = typeof value === 'string' ? isTimestamp(value) : Number(value) >= firstTimestamp;
  const date = typeof value === 'string' ? new Date(value) : dateOf(value);
  return isTime && !Number.isNaN(date.getTime()) ? date : undefined;
}

const textThat = (expected: string, holds: (text: string) => boolean) =>
  s.string(expected).check(s.refine(holds, expected));

/** A day such as `2026-12-31`. */
export const dayText = (expected = "a date such as '2026-12-31'") => textThat(expected, isDay);

/** A time in ISO 8601, with or without its zone. */
export const timeText = () => textThat('an ISO 8601 time', isTimestamp);

/** A time in ISO 8601, in UTC. */
export const utcText = () =>
  textThat('an ISO 8601 time in UTC', (text) => isTimestamp(text) && /(?:Z|[+-]00(?::?00)?)$/i.test(text));

/** A day, or a time on one. */
export const dayOrTimeText = () =>
  textThat("a date such as '2026-12-31'", (text) => isDay(text) || isTimestamp(text));
