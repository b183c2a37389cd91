import { digitsOf } from '../../money/currencies.ts';
import { formatAmount } from '../../money/format-amount.ts';
import { toMinorUnits } from '../../money/to-minor-units.ts';

/** The account's currency, for forms without one and for chargebacks. */
export const accountCurrency = 'USD';

/** Converts a transaction's amount to minor units. It always has all decimals of its currency. */
export function minorUnitsOf(amount: string): number {
  const minorUnits = Number(amount.replace('.', ''));
  if (Number.isSafeInteger(minorUnits)) return minorUnits;
  throw new Error('Expected a transaction with amounts such as 12.00.');
}

/** Converts a chargeback's amount to minor units; `undefined` if it does not fit the currency. */
export function readAmount(amount: string, currency: string): number | undefined {
  try {
    return toMinorUnits(amount, currency);
  } catch {
    return undefined;
  }
}

/** Formats an amount in minor units, such as `$12.00`, or `-$12.00` for money that is lost. */
export function moneyText(amount: number, currency: string): string {
  if (digitsOf(currency) === undefined || !Number.isSafeInteger(amount)) return `${amount} ${currency}`;
  const sign = amount < 0 ? '-' : '';
  return sign + formatAmount(Math.abs(amount), currency, 'en-US');
}
