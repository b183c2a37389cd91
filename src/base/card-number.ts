/**
 * The first digits and the lengths of cards: Visa; Mastercard and Mir; American Express; Diners and JCB; Maestro, Discover and UnionPay.
 * None begins with 1, so a time in ms is no card number.
 */
const issued =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[0689]\d{12}|3[05689]\d{14}|(?:5[06-8]|6\d|81)\d{11,17})$/;

/** Whether the last digit of a card number is the one that the others call for (Luhn). */
export function hasValidCheckDigit(cardNumber: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...cardNumber].reverse().entries()) {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Whether a number has the digits of a card. Above 2^53 its last digits are lost, so the prefix and the length decide without the check
 * digit.
 */
export function isLikeCardNumber(value: number): boolean {
  const digits = String(Math.trunc(Math.abs(value)));
  return Number.isSafeInteger(Number(digits)) ? looksLikeCardNumber(digits) : issued.test(digits);
}

/** Whether digits have the prefix, the length and the check digit of a card of a known brand. */
export function looksLikeCardNumber(digits: string): boolean {
  return issued.test(digits) && hasValidCheckDigit(digits);
}
