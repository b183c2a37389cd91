import { digitsOf } from '../../money/currencies.ts';
import { accountCurrency } from '../domain/payments/transaction-amount.ts';
import { refuse } from './refusal.ts';

/** How forms write amounts, which the interface does not show. */
export type FormAmounts = 'decimal' | 'integer';

// Fourteen digits at most, which a number holds exactly.
const amountPattern = /^(\d{1,10})(?:\.(\d{1,4}))?$/;

/**
 * How many decimals the amounts of a currency have.
 *
 * @throws FormRefusal for a currency without a known minor unit.
 */
export function decimalsOf(currency: string): number {
  return digitsOf(currency) ?? refuse('Invalid currency: expected an ISO 4217 code such as USD');
}

/** How many decimals an amount is written with. */
export function decimalsIn(amount: string): number {
  return amountPattern.exec(amount)?.[2]?.length ?? 0;
}

/** Reads an amount with exactly so many decimals, in minor units; `undefined` where it is written in any other way. */
export function toMinorUnits(text: string, decimals: number): number | undefined {
  const [, whole, fraction = ''] = amountPattern.exec(text) ?? [];
  return whole === undefined || fraction.length !== decimals ? undefined : Number(whole + fraction);
}

/**
 * Reads an amount in minor units.
 *
 * @throws FormRefusal for one with other decimals: `1200` may be meant as 12.00, so nothing is guessed.
 */
export function readMinorUnits(text: string, decimals: number, form: FormAmounts): number {
  const example = writeAmount(12 * 10 ** decimals, decimals, form);
  const unit =
    form === 'integer' ? 'in minor units' : `with the decimals of its currency (default ${accountCurrency})`;
  const minorUnits = toMinorUnits(text, form === 'integer' ? 0 : decimals);
  return minorUnits ?? refuse(`Invalid amount: expected one such as ${example}, ${unit}`);
}

/** Minor units as forms write them. */
export function writeAmount(minorUnits: number, decimals: number, form: FormAmounts): string {
  return toAmount(minorUnits, form === 'integer' ? 0 : decimals);
}

/** Minor units as a decimal, which transactions are kept with. */
export function toAmount(minorUnits: number, decimals: number): string {
  if (decimals === 0) return String(minorUnits);
  const digits = String(minorUnits).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
