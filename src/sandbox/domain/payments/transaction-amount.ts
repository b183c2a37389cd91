/** The currency of a form that names none, and of a chargeback: the account's. */
export const accountCurrency = 'USD';

/** An amount of a transaction in minor units. It has all decimals of its currency. */
export function minorUnitsOf(amount: string): number {
  const minorUnits = Number(amount.replace('.', ''));
  if (Number.isSafeInteger(minorUnits)) return minorUnits;
  throw new Error('Expected a transaction with amounts such as 12.00.');
}
