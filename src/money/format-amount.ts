import { refuseArguments } from '../base/errors.ts';
import { type Issue, issueAt } from '../base/issue.ts';
import { toDecimalText } from './decimal-text.ts';

/**
 * Formats an amount in minor units for people, exactly and with all digits of the currency.
 *
 * @param minorUnits An integer from 0.
 * @param currency An ISO 4217 code, in either case.
 * @param locale A BCP 47 tag, such as `de-CH`. Default: that of the runtime.
 * @throws ConfigurationError for an amount that is no such integer, a currency without a known minor unit, or an invalid locale.
 *
 * @example
 * formatAmount(1200, 'usd', 'en-US'); // '$12.00'
 */
export function formatAmount(minorUnits: number | bigint, currency: string, locale?: string): string {
  const { text, digits } = toDecimalText('formatAmount', minorUnits, currency);
  refuseArguments('formatAmount', localeIssues(locale));
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A string keeps every digit, where a number would lose some.
  return format.format(text as `${number}`);
}

function localeIssues(locale: string | undefined): Issue[] {
  try {
    Intl.getCanonicalLocales(locale);
    return [];
  } catch {
    return [issueAt('locale', "a BCP 47 tag, such as 'de-CH'", locale)];
  }
}
