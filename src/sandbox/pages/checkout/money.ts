/** A language that the runtime knows; English for any other. */
function knownLanguage(locale: string | null): string {
  try {
    return Intl.getCanonicalLocales((locale ?? 'en').replaceAll('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Writes amounts in minor units as a buyer reads them. */
export function moneyWriter(currency: string, locale: string | null): (amount: number) => string {
  const format = new Intl.NumberFormat(knownLanguage(locale), { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return (amount) => format.format(amount / 10 ** digits);
}
