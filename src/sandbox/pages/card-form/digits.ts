/** Arabic and Persian digits. Their last four bits are their value. */
const otherDigits = /[٠-٩۰-۹]/g;

/** Converts digits of other scripts and full-width digits to `0` to `9`. */
export function withPlainDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(otherDigits, (digit) => String(digit.charCodeAt(0) & 15));
}

/** Returns the digits of a text without separators. */
export function digitsOf(text: string): string {
  return withPlainDigits(text).replaceAll(/\D/g, '');
}
