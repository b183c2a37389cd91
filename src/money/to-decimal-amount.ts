import { toDecimalText } from './decimal-text.ts';

/**
 * Returns an amount in minor units as an exact decimal string, without a floating-point number in between. The form endpoint
 * takes such strings by default (*inferred*; see `formAmounts`).
 *
 * @param minorUnits An integer from 0: cents of a dollar, yen, mils of a dinar.
 * @param currency An ISO 4217 code, in either case.
 * @throws ConfigurationError for an amount that is no such integer, or a currency without a known minor unit.
 *
 * @example
 * toDecimalAmount(1200, 'USD'); // '12.00'
 * toDecimalAmount(1200, 'JPY'); // '1200'
 * toDecimalAmount(1200, 'KWD'); // '1.200'
 */
export function toDecimalAmount(minorUnits: number | bigint, currency: string): string {
  return toDecimalText('toDecimalAmount', minorUnits, currency).text;
}
