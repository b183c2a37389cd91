import { refuseArguments } from '../base/refuse.ts';
import { currencyIssue, digitsOf } from './currencies.ts';
import { minorUnitIssues } from './minor-units.ts';

/** An amount with all digits of its currency, and how many of them stand behind the point. */
export interface DecimalText {
  readonly text: string;
  readonly digits: number;
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
