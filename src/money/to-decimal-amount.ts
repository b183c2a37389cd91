import { InvalidRequestError } from '../core/errors.ts';
import { currencyIssue, digitsOf } from './currencies.ts';
import { minorUnitIssues } from './minor-units.ts';

/**
 * An amount in minor units as the decimal string that the form endpoint takes, exactly: it is never a fraction in
 * between.
 *
 * @param minorUnits An integer from 0: cents of a dollar, yen, mils of a dinar.
 * @param currency An ISO 4217 code, in either case.
 * @throws InvalidRequestError for an amount that is no such integer, or a currency without a known minor unit.
 *
 * @example
 * toDecimalAmount(1200, 'USD'); // '12.00'
 * toDecimalAmount(1200, 'JPY'); // '1200'
 * toDecimalAmount(1200, 'KWD'); // '1.200'
 */
export function toDecimalAmount(minorUnits: number | bigint, currency: string): string {
  const digits = digitsOf(currency);
  const issues = minorUnitIssues(minorUnits);
  if (digits === undefined) issues.push(currencyIssue(currency));
  if (digits === undefined || issues.length > 0) throw new InvalidRequestError('toDecimalAmount', issues);
  if (digits === 0) return String(minorUnits);
  const text = String(minorUnits).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
