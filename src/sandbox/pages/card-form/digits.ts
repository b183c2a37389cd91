/** Digits that people of some languages type: Arabic, then Persian ones. Their last four bits are their value. */
const otherDigits = /[٠-٩۰-۹]/g;

/** A text with the digits of every keyboard as `0` to `9`, also wide ones. */
export function withPlainDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(otherDigits, (digit) => String(digit.charCodeAt(0) & 15));
}

/** The digits of a text, without whatever stands between them. */
export function digitsOf(text: string): string {
  return withPlainDigits(text).replaceAll(/\D/g, '');
}
