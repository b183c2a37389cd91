/** Returns the formatter of a currency, with its ISO 4217 minor unit; `undefined` for an invalid currency. */
function formatOf(currency: string): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency });
  } catch {
    return undefined;
  }
}

const digitsOf = (format: Intl.NumberFormat) => format.resolvedOptions().maximumFractionDigits ?? 0;

/** Formats an amount in minor units: `$55.00`. */
export function moneyText(amount: number, currency: string): string {
  const format = formatOf(currency);
  if (format === undefined) return `${amount} ${currency}`.trim();
  return format.format(amount / 10 ** digitsOf(format));
}

/** Formats a decimal string, as the form endpoint has amounts: `12.00` becomes `$12.00`. */
export function decimalText(amount: string, currency: string): string {
  return formatOf(currency)?.format(Number(amount)) ?? `${amount} ${currency}`.trim();
}

/** Formats date and time in UTC: `2026-01-01 00:01:00 UTC`. */
export function dateText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration in its two largest units: `1 d 2 h`. */
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

/** Formats a count with its noun: `1 charge`, `2 charges`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Replaces the underscores of a name: `checkout_session` becomes `checkout session`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Returns the same with a capital letter. */
export function heading(name: string): string {
  return words(name).replace(/^./, (letter) => letter.toUpperCase());
}
