/** The digits of a card number with blanks or hyphens between them, as it is printed on a card. */
function digitsOf(cardNumber: string): string {
  return cardNumber.replace(/(?<=\d)[ -]+(?=\d)/g, '');
}

/**
 * The `MMYY` of a card's `MM/YY`, of `MM/YYYY`, and of the `YYYY-MM` of `<input type="month">`. Nothing else has one meaning: `2030` may be
 * a year, and `30/12` no expiry of a card.
 */
function monthOf(expiry: string): string {
  return expiry.replace(/^(\d\d) ?[/-] ?(?:20)?(\d\d)$/, '$1$2').replace(/^20(\d\d)-(\d\d)$/, '$2$1');
}

/** Returns the fields of a transaction with a card as it is sent. Any other form is left to the check, which names no value. */
export function withPlainCard(fields: Record<string, unknown>): Record<string, unknown> {
  const { ccnumber, ccexp } = fields;
  return {
    ...fields,
    ...(typeof ccnumber === 'string' && { ccnumber: digitsOf(ccnumber) }),
    ...(typeof ccexp === 'string' && { ccexp: monthOf(ccexp) }),
  };
}
