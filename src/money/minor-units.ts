import { describeValue } from '../base/describe.ts';
import type { Issue } from '../base/errors.ts';
import { isIntegerFrom } from '../base/integer.ts';

/** Returns the issues of an amount in minor units. */
export function minorUnitIssues(minorUnits: number | bigint): Issue[] {
  if (typeof minorUnits === 'bigint' ? minorUnits >= 0n : isIntegerFrom(minorUnits, 0)) return [];
  const received =
    typeof minorUnits === 'bigint' ? `the number ${minorUnits}` : describeValue(minorUnits, '');
  return [{ path: 'minorUnits', expected: 'an integer from 0, in minor units', received }];
}
