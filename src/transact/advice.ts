import type { SaleParams } from './params.ts';

/** The fields that the interface recommends for every payment without the card at hand (*shown*). */
const recommendedFields = ['cvv', 'ipaddress', 'email', 'phone', 'address1', 'city', 'state', 'zip'] as const;

/** A field that the interface recommends. */
export type RecommendedField = (typeof recommendedFields)[number];

/**
 * Returns the fields that a card-not-present payment lacks, of those that the interface recommends for the fraud checks.
 * With a payment token, `cvv` is not missing, since the browser has collected the security code.
 *
 * @example
 * cardNotPresentAdvice({ amount: '12.00', payment_token, email, zip }); // ['ipaddress', 'phone', 'address1', 'city', 'state']
 */
export function cardNotPresentAdvice(
  params: SaleParams | Readonly<Partial<Record<RecommendedField | 'payment_token', unknown>>>,
): RecommendedField[] {
  const isMissing = (field: RecommendedField) => params[field] === undefined || params[field] === '';
  return recommendedFields.filter(
    (field) => isMissing(field) && !(field === 'cvv' && params.payment_token !== undefined),
  );
}
