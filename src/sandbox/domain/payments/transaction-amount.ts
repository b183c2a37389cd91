import { toMinorUnits } from '../../../money/to-minor-units.ts';

/** The currency of a form that names none, and of a chargeback: the account's. */
export const accountCurrency = 'USD';

/** An amount of a transaction in minor units. It has all decimals of its currency. */
export function minorUnitsOf(amount: string): number {
  const minorUnits = Number(amount.replace('.', ''));
  if (Number.isSafeInteger(minorUnits)) return minorUnits;
  throw new Error('Expected a transaction with amounts such as 12.00.');
}

/** An amount of a chargeback in minor units; `undefined` where it does not fit the currency. */
export function readAmount(amount: string, currency: string): number | undefined {
  try {
    return toMinorUnits(amount, currency);
  } catch {
    return undefined;
  }
}
