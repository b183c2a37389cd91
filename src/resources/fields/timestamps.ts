import { refuseArguments } from '../../base/errors.ts';
import { type Issue, issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { second } from '../../base/time.ts';

/** The unit of an integer timestamp, counted since 1970. */
type TimestampUnit = 'seconds' | 'milliseconds';

/** Options of {@link toDate}. */
export interface ToDateOptions {
  /** The unit of the service's timestamps. Default: chosen by magnitude (*inferred*). */
  readonly timestamps?: TimestampUnit | undefined;
}

/** Returns the issues of the options. Written by hand: a schema would add zod to every page that shows a date. */
function optionsIssues(options: unknown): Issue[] {
  if (!isRecord(options)) return [issueAt('options', 'an object', options)];
  const { timestamps, ...others } = options;
  if (timestamps !== undefined && timestamps !== 'seconds' && timestamps !== 'milliseconds') {
    return [issueAt('options.timestamps', "'seconds' or 'milliseconds'", timestamps)];
  }
  const received = 'an unknown option';
  return Object.keys(others).map((name) => ({ path: `options.${name}`, expected: 'timestamps', received }));
}

/** From here on a timestamp is taken for milliseconds. */
const smallestMilliseconds = 1e11;

function unitOf(timestamp: number): TimestampUnit {
  return Math.abs(timestamp) < smallestMilliseconds ? 'seconds' : 'milliseconds';
}

/** Returns the date of an integer; an invalid one for anything else, where `new Date` would read texts and cut fractions off. */
export function dateOf(timestamp: unknown, unit?: TimestampUnit): Date {
  if (typeof timestamp !== 'number' || !Number.isInteger(timestamp)) return new Date(Number.NaN);
  return new Date((unit ?? unitOf(timestamp)) === 'seconds' ? timestamp * second : timestamp);
}

/**
 * Converts a resource's timestamp to a `Date`. The interface shows integers, but not their unit.
 *
 * By default, a value with a magnitude below 100,000,000,000 is read as seconds, and any other as milliseconds (*inferred*).
 * This is correct for seconds until the year 5138, and for milliseconds from 3 March 1973 on.
 *
 * @param timestamp An integer. `null` and `undefined` are returned unchanged, since some timestamps are set later.
 * @throws ConfigurationError for any other value, a timestamp that a `Date` cannot represent, and an invalid option.
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
  refuseArguments('toDate', optionsIssues(options));
  if (timestamp === null || timestamp === undefined) return timestamp;
  const date = dateOf(timestamp, options.timestamps);
  if (Number.isNaN(date.getTime())) {
    refuseArguments('toDate', [issueAt('timestamp', 'an integer that a Date can hold', timestamp)]);
  }
  return date;
}
