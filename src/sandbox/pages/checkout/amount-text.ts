import type { Language } from '../languages/language-of.ts';

/** Keeps the letters of a symbol such as `US$` in their order within a text that is written from right to left. */
function isolate(symbol: string): string {
  return `\u2068${symbol}\u2069`;
}

/** Writes amounts in minor units as a buyer reads them. */
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
