import { formatIssue, issueAt, issueWithin } from '../base/issue.ts';
import { optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { second } from '../base/time.ts';
import { firstFlaw } from '../base/validation.ts';

/** What an integer timestamp counts since 1970. */
export type TimestampUnit = 'seconds' | 'milliseconds';

/** Options of {@link toDate}. */
export interface ToDateOptions {
  /** What the service's timestamps count. Default: by magnitude (*inferred*). */
  readonly timestamps?: TimestampUnit | undefined;
}

const optionsSchema = optionsOf<ToDateOptions>({
  timestamps: s.optional(s.literal(['seconds', 'milliseconds'], "'seconds' or 'milliseconds'")),
});

/** From here on a timestamp is taken for milliseconds. */
const smallestMilliseconds = 1e11;

function unitOf(timestamp: number): TimestampUnit {
  return Math.abs(timestamp) < smallestMilliseconds ? 'seconds' : 'milliseconds';
}

/** Returns the date of an integer; an invalid one for anything else, where `new Date` would read texts and cut fractions off. */
function dateOf(timestamp: unknown, unit: TimestampUnit | undefined): Date {
  if (typeof timestamp !== 'number' || !Number.isInteger(timestamp)) return new Date(Number.NaN);
  return new Date((unit ?? unitOf(timestamp)) === 'seconds' ? timestamp * second : timestamp);
}

/**
 * Makes a `Date` of a resource's timestamp. The interface shows integers and not their unit.
 *
 * The default takes a magnitude below 100,000,000,000 for seconds and any other for milliseconds (*inferred*). It is right for seconds
 * until the year 5138, and for milliseconds from 3 March 1973 on.
 *
 * @param timestamp An integer. `null` and `undefined` are returned as they are, since some timestamps are set later.
 * @throws RangeError for any other value, a timestamp beyond what a `Date` can hold, and a wrong option.
 *
 * @example
 * toDate(intent.created_at);
 * toDate(charge.settled_at, { timestamps: 'seconds' }); // null until it is settled
 */
export function toDate(timestamp: number, options?: ToDateOptions): Date;
/** Makes a `Date` of a timestamp that may be missing. */
export function toDate<Missing extends null | undefined>(
  timestamp: number | Missing,
  options?: ToDateOptions,
): Date | Missing;
export function toDate<Missing extends null | undefined>(
  timestamp: number | Missing,
  options: ToDateOptions = {},
): Date | Missing {
  const flaw = firstFlaw(optionsSchema, options);
  if (flaw !== undefined) throw new RangeError(`toDate: ${formatIssue(issueWithin('options', flaw))}`);
  if (timestamp === null || timestamp === undefined) return timestamp;
  const date = dateOf(timestamp, options.timestamps);
  if (!Number.isNaN(date.getTime())) return date;
  const issue = issueAt('timestamp', 'an integer that a Date can hold', timestamp);
  throw new RangeError(`toDate: ${formatIssue(issue)}`);
}
