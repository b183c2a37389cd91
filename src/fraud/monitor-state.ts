import { formatIssue, issueWithin } from '../base/issue.ts';
import { type FieldsOf, integerFrom } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { strip } from '../base/validation.ts';
import { countNames, type FraudCounts } from './metrics.ts';
import { refuseRange } from './refuse.ts';

/** What was counted in one stretch of time. */
export interface FraudBucket extends FraudCounts {
  /** When it begins, in milliseconds since 1970; a multiple of `bucketMs`. */
  readonly start: number;
}

/** What a monitor has counted; plain JSON. */
export interface FraudMonitorState {
  /** The form of the state. */
  readonly version: 1;
  /** How far back figures reach, in milliseconds. */
  readonly windowMs: number;
  /** How long a bucket is, in milliseconds. */
  readonly bucketMs: number;
  /** The buckets in which something was counted, the earliest first. */
  readonly buckets: readonly FraudBucket[];
}

const count = integerFrom(0);
const bucketFields: FieldsOf<FraudBucket> = {
  start: count,
  transactions: count,
  frauds: count,
  chargebacks: count,
  authentications: count,
  authenticated: count,
  avsChecked: count,
  avsMatched: count,
  cvvChecked: count,
  cvvMatched: count,
  scored: count,
  scoreSum: count,
};
const stateFields: FieldsOf<FraudMonitorState> = {
  version: s.literal(1, '1'),
  windowMs: count,
  bucketMs: count,
  buckets: s.array(s.object(bucketFields)),
};
const stateSchema = s.object(stateFields);

/** A bucket in which nothing was counted. */
export const noCounts: FraudCounts = {
  transactions: 0,
  frauds: 0,
  chargebacks: 0,
  authentications: 0,
  authenticated: 0,
  avsChecked: 0,
  avsMatched: 0,
  cvvChecked: 0,
  cvvMatched: 0,
  scored: 0,
  scoreSum: 0,
};

/** Two counts together. All are integers, so the order of additions does not matter. */
export function addCounts(a: FraudCounts, b: Partial<FraudCounts>): FraudCounts {
  const sum: { -readonly [Name in keyof FraudCounts]: number } = { ...a };
  for (const name of countNames) sum[name] += b[name] ?? 0;
  return sum;
}

/**
 * Two states together, neither of which changes. In whichever order states are merged, the result is the same; a state
 * merged twice counts twice. No clock is asked, so buckets that are too old stay until a monitor takes the state up.
 *
 * @throws TypeError for a value that is no state.
 * @throws RangeError for states of different windows or buckets.
 */
export function mergeFraudStates(a: FraudMonitorState, b: FraudMonitorState): FraudMonitorState {
  const [left, right] = [checkState('a', a), checkState('b', b)];
  refuseOtherTimes('b', right, left);
  const merged = new Map<number, FraudCounts>();
  for (const { start, ...counts } of [...left.buckets, ...right.buckets]) {
    merged.set(start, addCounts(merged.get(start) ?? noCounts, counts));
  }
  return { ...left, buckets: toBuckets(merged) };
}

/** Buckets in the order of time. */
export function toBuckets(counts: ReadonlyMap<number, FraudCounts>): FraudBucket[] {
  return [...counts].sort(([a], [b]) => a - b).map(([start, bucket]) => ({ start, ...bucket }));
}

/** @throws RangeError when a state's window or buckets are not those that are asked for. */
export function refuseOtherTimes(
  path: string,
  state: Pick<FraudMonitorState, 'windowMs' | 'bucketMs'>,
  wanted: Pick<FraudMonitorState, 'windowMs' | 'bucketMs'>,
): void {
  for (const name of ['windowMs', 'bucketMs'] as const) {
    if (state[name] !== wanted[name]) refuseRange(`${path}.${name}`, String(wanted[name]), state[name]);
  }
}

/**
 * A state that comes from a store or another process, checked. Fields that are not known are left out.
 *
 * @throws TypeError for a value that is no state.
 */
export function checkState(path: string, state: unknown): FraudMonitorState {
  const checked = strip(stateSchema, state);
  if ('value' in checked) return checked.value;
  const [issue] = checked.issues;
  throw new TypeError(issue && formatIssue(issueWithin(path, issue)));
}
