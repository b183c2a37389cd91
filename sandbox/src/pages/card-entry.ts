import creditCardType from 'credit-card-type';
import { isSecurityCode } from '../transact/card-reader.ts';

/** The properties of a card brand. */
interface CardBrand {
  /** The display name. */
  readonly name: string;
  /** The numbers of digits after which a gap is shown. */
  readonly gaps: readonly number[];
  /** How many digits the security code has. */
  readonly codeLength: number;
}

/** Returns the brand of a number or of its first digits; `undefined` while it is ambiguous or unknown. */
export function brandOf(digits: string): CardBrand | undefined {
  const [brand, ...others] = creditCardType(digits);
  if (brand === undefined || others.length > 0) return undefined;
  return { name: brand.niceType, gaps: brand.gaps, codeLength: brand.code.size };
}

/** Whether a text can be the security code of a card. */
export function isCodeOf(digits: string, code: string): boolean {
  const { codeLength } = brandOf(digits) ?? {};
  return isSecurityCode(code) && (codeLength === undefined || code.length === codeLength);
}

/** The expiry month of a card. */
interface Expiry {
  /** 1 to 12. */
  readonly month: number;
  /** Four digits, such as 2030. */
  readonly year: number;
}

/** Parses an expiry such as `1230`, `12/30`, `12/2030`, `1/30` or `01 30`; `undefined` for an invalid one. */
export function readExpiry(text: string): Expiry | undefined {
  const written = /^(\d{1,2}?)\s*(?:[/.-]\s*)?((?:20)?\d\d)$/.exec(text.trim());
  const [, month = '', year = ''] = written ?? [];
  if (!(Number(month) >= 1 && Number(month) <= 12)) return undefined;
  return { month: Number(month), year: 2000 + Number(year.slice(-2)) };
}

/** Formats an expiry with a slash or without: `12/30` or `1230`. */
export function writeExpiry({ month, year }: Expiry, between: '/' | ''): string {
  return `${String(month).padStart(2, '0')}${between}${String(year).slice(-2)}`;
}

/**
 * Whether a card has expired. It is valid until the end of its month.
 *
 * @param now The time, in milliseconds since 1970.
 */
export function isPast({ month, year }: Expiry, now: number): boolean {
  return now >= Date.UTC(year, month);
}
