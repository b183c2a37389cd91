/** A key of the service, or a token of a card, by what it begins with. */
const keyPrefix = /(?<![a-z\d])(?:sk|whs(?:ec|k)|tok)_/i;
/** 13 digits or more, in one run or in groups, whatever few signs stand between them. */
const cardNumber = /\d(?:[^\p{L}\d/]{0,3}\d){12,}/u;

/** Whether a text begins as the keys and tokens of the service do. */
export function beginsLikeKey(text: string): boolean {
  return keyPrefix.test(text);
}

/** Whether a text looks like a key or a card number, though nobody knows it for one. */
export function looksSecret(text: string): boolean {
  return /(?<![a-z\d])(?:sk|whs(?:ec|k))_[\w+/=-]{6,}/i.test(text) || cardNumber.test(text.normalize('NFKD'));
}
