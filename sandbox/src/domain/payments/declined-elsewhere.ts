/** The names of what declines here for the same reason: a card of `testCards`, and a payment method. */
interface OwnDecline {
  readonly card: 'doNotHonor' | 'insufficientFunds' | 'expiredCard' | 'stolenCard' | 'processingError';
  readonly method: string;
}

const declined: OwnDecline = { card: 'doNotHonor', method: 'pm_card_declined' };
const insufficient: OwnDecline = { card: 'insufficientFunds', method: 'pm_card_insufficient_funds' };
const expired: OwnDecline = { card: 'expiredCard', method: 'pm_card_expired' };
const stolen: OwnDecline = { card: 'stolenCard', method: 'pm_card_stolen' };
const errored: OwnDecline = { card: 'processingError', method: 'pm_card_processing_error' };

/**
 * Test numbers that other services decline or block. It has no number that pays at another service, such as 5105105105105100, which
 * pays at Stripe and is declined at Braintree.
 */
const byNumber: ReadonlyMap<string, OwnDecline> = new Map([
  // Stripe, and others that took over its numbers.
  ['4000000000000002', declined],
  ['4000000000000127', declined],
  ['4000000000000341', declined],
  ['4000000000004954', declined],
  ['4000000000006975', declined],
  ['4000008400001280', declined],
  ['4000008400001629', declined],
  ['4100000000000019', declined],
  ['4000000000009995', insufficient],
  ['4000008260003178', insufficient],
  ['4000000000000069', expired],
  ['4000000000009979', stolen],
  ['4000000000009987', stolen],
  ['4000000000000119', errored],
  // Braintree.
  ['4000111111111115', declined],
]);

/** Returns what declines here in place of a number that another service declines; `undefined` for any other number. */
export function declinedElsewhere(number: string): OwnDecline | undefined {
  return byNumber.get(number.replaceAll(/[\s-]/g, ''));
}
