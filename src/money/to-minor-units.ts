import { refuseArguments } from '../base/errors.ts';
import { type Issue, issueAt } from '../base/issue.ts';
import { isIntegerFrom, readDecimal } from '../base/numbers.ts';
import { currencyIssue, digitsOf } from './currencies.ts';

/** The digits of an amount without its point; `undefined` if it is invalid, or finer than the minor unit. */
function readDigits(amount: unknown, digits: number): string | undefined {
  const decimal = readDecimal(amount);
  if (decimal === undefined || /[1-9]/.test(decimal.fraction.slice(digits))) return undefined;
  return decimal.whole + decimal.fraction.slice(0, digits).padEnd(digits, '0');
}

function expectedAmount(amount: unknown, digits: number): string {
  if (readDigits(amount, digits) !== undefined) return `at most ${Number.MAX_SAFE_INTEGER} minor units`;
  if (digits === 0) return "a decimal string without digits behind the point, such as '1200'";
  return `a decimal string with at most ${digits} digits behind the point, such as '12.00'`;
}

/**
 * Returns the exact minor units of a decimal string, such as the amount of a chargeback.
 *
 * @param amount Digits, optionally with a point and decimals. Only zeros may follow the last decimal of the currency.
 * @param currency An ISO 4217 code, in either case.
 * @throws ConfigurationError for a string that is not such an amount, is finer than the minor unit, or is too large for an
 *   exact `Number`; and for a currency without a known minor unit.
 *
 * @example
 * toMinorUnits('12.00', 'USD'); // 1200
 * toMinorUnits('1200', 'JPY'); // 1200
 */
export function toMinorUnits(amount: string, currency: string): number {
  const digits = digitsOf(currency);
  const minorUnits = Number(readDigits(amount, digits ?? 0) ?? Number.NaN);
  const issues: Issue[] = [];
  if (digits === undefined) issues.push(currencyIssue(currency));
  else if (!isIntegerFrom(minorUnits, 0)) {
    issues.push(issueAt('amount', expectedAmount(amount, digits), amount));
  }
  refuseArguments('toMinorUnits', issues);
  return minorUnits;
}
