/** The format of a currency, with its minor unit by ISO 4217; `undefined` for what is none. */
function formatOf(currency: string): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency });
  } catch {
    return undefined;
  }
}

const digitsOf = (format: Intl.NumberFormat) => format.resolvedOptions().maximumFractionDigits ?? 0;

/** Returns an amount in minor units as people write it: `$55.00`. */
export function moneyText(amount: number, currency: string): string {
  const format = formatOf(currency);
  if (format === undefined) return `${amount} ${currency}`.trim();
  return format.format(amount / 10 ** digitsOf(format));
}

/** Returns a decimal string, as the form endpoint has amounts, as people write it: `12.00` is `$12.00`. */
export function decimalText(amount: string, currency: string): string {
  return formatOf(currency)?.format(Number(amount)) ?? `${amount} ${currency}`.trim();
}

/** Returns date and time in UTC: `2026-01-01 00:01:00 UTC`. */
export function dateText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Returns a duration in its two largest units: `1 d 2 h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  let left = ms;
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return parts.slice(0, 2).join(' ');
}

/** Returns a count with its noun: `1 charge`, `2 charges`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns `checkout_session` as people write it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Returns the same with a capital letter. */
export function heading(name: string): string {
  return words(name).replace(/^./, (letter) => letter.toUpperCase());
}
