import { describeValue } from '../core/describe.ts';
import { InvalidRequestError, type Issue } from '../core/errors.ts';

/**
 * How many digits each currency's minor unit has, after ISO 4217. `Intl` differs from it for some, since it tells
 * what people write and not what banks book.
 */
const currenciesByDigits: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
  [
    2,
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
      'CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG ' +
      'HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK ' +
      'MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE ' +
      'SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD YER ZAR ZMW ZWG',
  ],
];

const digitsByCurrency = new Map(
  currenciesByDigits.flatMap(([digits, currencies]) =>
    currencies.split(' ').map((currency) => [currency, digits] as const),
  ),
);

function minorUnitIssues(minorUnits: number | bigint): Issue[] {
  if (
    typeof minorUnits === 'bigint' ? minorUnits >= 0n : Number.isSafeInteger(minorUnits) && minorUnits >= 0
  ) {
    return [];
  }
  const received =
    typeof minorUnits === 'bigint' ? `the number ${minorUnits}` : describeValue(minorUnits, '');
  return [{ path: 'minorUnits', expected: 'an integer from 0, in minor units', received }];
}

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
  const digits = typeof currency === 'string' ? digitsByCurrency.get(currency.toUpperCase()) : undefined;
  const issues = minorUnitIssues(minorUnits);
  if (digits === undefined) {
    const received = describeValue(currency, 'currency');
    issues.push({
      path: 'currency',
      expected: "an ISO 4217 code with a minor unit, such as 'USD'",
      received,
    });
  }
  if (digits === undefined || issues.length > 0) throw new InvalidRequestError('toDecimalAmount', issues);
  if (digits === 0) return String(minorUnits);
  const text = String(minorUnits).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
