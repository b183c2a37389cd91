import { accountCurrency, digitsOf } from '../domain/amounts.ts';
import type { Forms } from '../domain/forms.ts';
import { refuse } from './refusal.ts';

/** How forms write amounts. The interface does not show it. */
export type FormAmounts = Forms['formAmounts'];

const shown = {
  currency: `with the decimals of its currency (default ${accountCurrency})`,
  'two-decimals': 'with two decimals',
  integer: 'in minor units',
} satisfies Record<FormAmounts, string>;

/** A decimal such as `12.00`, of at most fourteen digits, which a number represents exactly. */
const decimal = /^(?<whole>\d{1,10})(?:\.(?<fraction>\d{1,4}))?$/;

/**
 * Returns the number of decimals of a currency.
 *
 * @throws FormRefusal for a currency without a known minor unit.
 */
export function decimalsOf(currency: string): number {
  return digitsOf(currency) ?? refuse('Invalid currency: expected an ISO 4217 code such as USD');
}

export function decimalsIn(amount: string): number {
  return decimal.exec(amount)?.groups?.['fraction']?.length ?? 0;
}

/** Parses an amount with exactly this many decimals to minor units; `undefined` for any other text. */
export function toMinorUnits(text: string, decimals: number): number | undefined {
  const { whole, fraction = '' } = decimal.exec(text)?.groups ?? {};
  return whole !== undefined && fraction.length === decimals ? Number(whole + fraction) : undefined;
}

/** Returns how many decimals an amount of a currency has in a form. */
export function decimalsInForm(decimals: number, form: FormAmounts): number {
  if (form === 'integer') return 0;
  return form === 'two-decimals' ? 2 : decimals;
}

/** Returns the minor units of an amount that was written with other decimals than those of its currency; `undefined` for a part of one. */
function rescaled(units: number, from: number, to: number): number | undefined {
  const minorUnits = to < from ? units / 10 ** (from - to) : units * 10 ** (to - from);
  return Number.isSafeInteger(minorUnits) ? minorUnits : undefined;
}

/**
 * Parses an amount to minor units.
 *
 * @throws FormRefusal for another number of decimals: `1200` may mean 12.00, so it is not guessed.
 */
export function readMinorUnits(text: string, decimals: number, form: FormAmounts): number {
  const example = writeAmount(12 * 10 ** decimals, decimals, form);
  const unit = shown[form];
  const read = toMinorUnits(text, decimalsInForm(decimals, form));
  const minorUnits = read === undefined || form !== 'two-decimals' ? read : rescaled(read, 2, decimals);
  return minorUnits ?? refuse(`Invalid amount: expected one such as ${example}, ${unit}`);
}

/** Formats minor units as forms write them. */
export function writeAmount(minorUnits: number, decimals: number, form: FormAmounts): string {
  if (form !== 'two-decimals') return toAmount(minorUnits, decimalsInForm(decimals, form));
  const units = rescaled(minorUnits, decimals, 2);
  return units === undefined ? toAmount(minorUnits, decimals) : toAmount(units, 2);
}

/** Formats minor units as a decimal, as transactions store them. */
export function toAmount(minorUnits: number, decimals: number): string {
  if (decimals === 0) return String(minorUnits);
  const digits = String(minorUnits).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
