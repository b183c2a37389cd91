import { digitsOf } from '../../money/currencies.ts';
import { formatAmount } from '../../money/format-amount.ts';

/** Formats an amount in minor units, such as `$12.00`. */
export function moneyText(amount: number, currency: string): string {
  const isFormattable = digitsOf(currency) !== undefined && Number.isSafeInteger(amount) && amount >= 0;
  return isFormattable ? formatAmount(amount, currency, 'en-US') : `${amount} ${currency}`;
}
