import { formatAmount, toDecimalAmount, toMinorUnits } from 'payments-client';

/** The account's currency, for forms without one and for chargebacks. */
export const accountCurrency = 'USD';

/** Returns the digits of a currency's minor unit; `undefined` for an unknown currency. */
export function digitsOf(currency: string): number | undefined {
  try {
    return toDecimalAmount(1, currency).split('.')[1]?.length ?? 0;
  } catch {
    return undefined;
  }
}

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
