/** The prefixes of the service's keys and card tokens. */
const keyPrefix = /(?<![a-z\d])(?:sk|whs(?:ec|k)|tok)_/i;
/** Its groups are never those of a card number, but it may hold as many digits. */
const uuid = /(?<![a-z\d])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![a-z\d])/gi;
/** 13 digits or more, with at most three signs between two of them. */
const cardNumber = /\d(?:[^\p{L}\d/]{0,3}\d){12,}/u;

/** Whether a text contains the prefix of a key or token. */
export function beginsLikeKey(text: string): boolean {
  return keyPrefix.test(text);
}

/** Whether a text looks like a key or a card number. */
export function looksSecret(text: string): boolean {
  const isKey = /(?<![a-z\d])(?:sk|whs(?:ec|k))_[\w+/=-]{6,}/i.test(text);
  return isKey || cardNumber.test(text.replace(uuid, 'uuid').normalize('NFKD'));
}
