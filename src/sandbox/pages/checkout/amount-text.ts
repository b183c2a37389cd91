/** The languages to write in, the best first. English is last, since else it were the machine's own. */
function languagesFor(locale: string | null): string[] {
  try {
    return Intl.getCanonicalLocales([(locale ?? 'en').replaceAll('_', '-'), 'en']);
  } catch {
    return ['en'];
  }
}

/** Writes amounts in minor units as a buyer reads them. */
export function moneyWriter(currency: string, locale: string | null): (amount: number) => string {
  const format = new Intl.NumberFormat(languagesFor(locale), { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return (amount) => format.format(amount / 10 ** digits);
}
