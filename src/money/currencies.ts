import { type Issue, issueAt } from '../base/issue.ts';

/**
 * The currencies whose minor unit has another number of digits than two, after ISO 4217. `Intl` differs from it for some, since it has what
 * people write, not what banks book.
 */
const unusual: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** Those with two digits. */
const usual =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
  'CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG ' +
  'HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK ' +
  'MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE ' +
  'SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';

const unusualDigits = /* @__PURE__ */ (() =>
  new Map(
    unusual.flatMap(([digits, currencies]) =>
      currencies.split(' ').map((currency) => [currency, digits] as const),
    ),
  ))();

const usualCodes = /* @__PURE__ */ (() => new Set(usual.split(' ')))();

const codeOf = (currency: unknown) => (typeof currency === 'string' ? currency.toUpperCase() : '');

/** Returns the digits of a currency's minor unit, by its code in either case; two for an unknown one. */
export function usualDigitsOf(currency: unknown): number {
  return unusualDigits.get(codeOf(currency)) ?? 2;
}

/** Returns the digits of a currency's minor unit, by its code in either case; `undefined` for an unknown one. */
export function digitsOf(currency: unknown): number | undefined {
  const code = codeOf(currency);
  return usualCodes.has(code) ? 2 : unusualDigits.get(code);
}

/** Returns the issue of a currency without a known minor unit. */
export function currencyIssue(currency: unknown): Issue {
  return issueAt('currency', "an ISO 4217 code with a minor unit, such as 'USD'", currency);
}
