import { type Issue, issueAt } from '../base/issue.ts';

/**
 * How many digits each currency's minor unit has, after ISO 4217. `Intl` differs from it for some, since it has what people write,
 * not what banks book.
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
      'SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ],
];

const digitsByCurrency = /* @__PURE__ */ (() =>
  new Map(
    currenciesByDigits.flatMap(([digits, currencies]) =>
      currencies.split(' ').map((currency) => [currency, digits] as const),
    ),
  ))();

/** Returns the digits of a currency's minor unit, by its code in either case; `undefined` for an unknown one. */
export function digitsOf(currency: unknown): number | undefined {
  return typeof currency === 'string' ? digitsByCurrency.get(currency.toUpperCase()) : undefined;
}

/** Returns the issue of a currency without a known minor unit. */
export function currencyIssue(currency: unknown): Issue {
  return issueAt('currency', "an ISO 4217 code with a minor unit, such as 'USD'", currency);
}
