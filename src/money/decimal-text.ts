import { refuseArguments } from '../base/errors.ts';
import { describeValue, type Issue } from '../base/issue.ts';
import { isIntegerFrom } from '../base/numbers.ts';
import { currencyIssue, digitsOf } from './currencies.ts';

/** An amount with all digits of its currency, and how many of them stand behind the point. */
export interface DecimalText {
  readonly text: string;
  readonly digits: number;
}

/** Returns the issues of an amount in minor units. */
function minorUnitIssues(minorUnits: number | bigint): Issue[] {
  if (typeof minorUnits === 'bigint' ? minorUnits >= 0n : isIntegerFrom(minorUnits, 0)) return [];
  const received =
    typeof minorUnits === 'bigint' ? `the number ${minorUnits}` : describeValue(minorUnits, '');
  return [{ path: 'minorUnits', expected: 'an integer from 0, in minor units', received }];
}

/**
 * Returns an amount in minor units as an exact decimal string.
 *
 * @param method The public function, for the error.
 * @throws ConfigurationError for an amount that is no integer from 0, or a currency without a known minor unit.
 */
export function toDecimalText(method: string, minorUnits: number | bigint, currency: string): DecimalText {
  const digits = digitsOf(currency);
  const issues = minorUnitIssues(minorUnits);
  if (digits === undefined) issues.push(currencyIssue(currency));
  refuseArguments(method, issues);
  if (digits === undefined || digits === 0) return { text: String(minorUnits), digits: 0 };
  const text = String(minorUnits).padStart(digits + 1, '0');
  return { text: `${text.slice(0, -digits)}.${text.slice(-digits)}`, digits };
}
