/** The prefixes of the service's keys and card tokens. */
const keyPrefix = /(?<![a-z\d])(?:sk|whs(?:ec|k)|tok)_/i;
/** Its groups are never those of a card number, but it may hold as many digits. */
const uuid = /(?<![a-z\d])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![a-z\d])/gi;
/** 13 digits or more, with at most three signs between two of them. */
const manyDigits = /\d(?:[^\p{L}\d/]{0,3}\d){12,}/gu;
/**
 * The first digits and the lengths of cards: Visa, Mastercard and Mir, American Express, Diners and JCB, Maestro, Discover and UnionPay, and
 * the sandbox's test cards.
 */
const issued =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[05689]\d{12,17}|(?:5[06-8]|6\d|81)\d{11,17}|9999\d{12})$/;
const minCardLength = 13;
const maxCardLength = 19;

/** Whether the last digit of a card number is the one that the others call for (Luhn). */
export function hasValidCheckDigit(cardNumber: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...cardNumber].reverse().entries()) {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isCardNumber(digits: string): boolean {
  return issued.test(digits) && hasValidCheckDigit(digits);
}

/** Whether a number begins or ends with a card number. An expiry date or a security code may touch one without a sign between. */
function holdsCardNumber(digits: string): boolean {
  for (let length = minCardLength; length <= maxCardLength; length += 1) {
    if (isCardNumber(digits.slice(0, length)) || isCardNumber(digits.slice(-length))) return true;
  }
  return false;
}

/** Whether groups of digits, such as `4111 1111 1111 1111`, hold a card number that begins and ends with a group. */
function haveCardNumber(groups: readonly string[]): boolean {
  return groups.some((first, start) => {
    if (first.length > maxCardLength) return holdsCardNumber(first);
    let digits = '';
    for (let end = start; end < groups.length && digits.length < maxCardLength; end += 1) {
      digits += groups[end];
      if (isCardNumber(digits)) return true;
    }
    return false;
  });
}

/** Whether a text contains the prefix of a key or token. */
export function beginsLikeKey(text: string): boolean {
  return keyPrefix.test(text);
}

/**
 * Whether a text looks like a key or a card number. Most long numbers are neither: an order id may be a time in ms, and hiding it would
 * make all such orders look the same.
 */
export function looksSecret(text: string): boolean {
  if (/(?<![a-z\d])(?:sk|whs(?:ec|k))_[\w+/=-]{6,}/i.test(text)) return true;
  const runs = text.replace(uuid, 'uuid').normalize('NFKD').match(manyDigits) ?? [];
  return runs.some((run) => haveCardNumber(run.match(/\d+/g) ?? []));
}
