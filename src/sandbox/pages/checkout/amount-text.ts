import type { Language } from '../languages/language-of.ts';

/** Keeps the letters of a symbol such as `US$` in order within right-to-left text. */
function isolate(symbol: string): string {
  return `\u2068${symbol}\u2069`;
}

/** Returns a function that formats amounts in minor units for the buyer. */
export function moneyWriter(
  currency: string,
  { locale, direction }: Pick<Language, 'locale' | 'direction'>,
): (amount: number) => string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return (amount) =>
    format
      .formatToParts(amount / 10 ** digits)
      .map(({ type, value }) => (type === 'currency' && direction === 'rtl' ? isolate(value) : value))
      .join('');
}
