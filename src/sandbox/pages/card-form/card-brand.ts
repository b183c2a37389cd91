import creditCardType from 'credit-card-type';
import { isSecurityCode } from '../../transact/card-reader.ts';

/** The properties of a card brand. */
export interface CardBrand {
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
