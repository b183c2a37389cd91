import { readDecimal } from '../../base/decimal.ts';
import { isIntegerFrom } from '../../base/integer.ts';
import { refuseValue } from '../../base/refuse.ts';
import { day, hour, minute, second } from '../../base/time.ts';

/** The longest duration. Tests need no more, and daily renewals on the way stay affordable. */
export const longest = 100 * 365 * day;

/** Units by their names. */
const units: readonly (readonly [form: RegExp, ms: number])[] = [
  [/^(?:ms|milliseconds?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, second],
  [/^(?:m|mins?|minutes?)$/, minute],
  [/^(?:h|hrs?|hours?)$/, hour],
  [/^(?:d|days?)$/, day],
  [/^(?:w|weeks?)$/, 7 * day],
];

const expected =
  "milliseconds, an integer from 0, or a text such as '2 weeks', '3 days', '2 h', '90 min', '30 s' or '250 ms', up to 100 years";

/**
 * Converts a duration to milliseconds, from a number of them or a text such as `'3 days'`.
 *
 * @throws ConfigurationError for any other value, and for more than 100 years.
 */
export function toMilliseconds(path: string, duration: number | string): number {
  const ms = typeof duration === 'string' ? parse(duration) : duration;
  if (isIntegerFrom(ms, 0, longest)) return ms;
  return refuseValue(path, expected, duration, 'Correct the duration.');
}

function parse(text: string): number {
  const [, count = '', unit = ''] = /^([\d.]+)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const known = units.find(([form]) => form.test(unit.toLowerCase()));
  return known && readDecimal(count) ? Math.round(Number(count) * known[1]) : Number.NaN;
}
