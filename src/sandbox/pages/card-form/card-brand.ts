import creditCardType from 'credit-card-type';
import { isSecurityCode } from '../../transact/card-reader.ts';

/** What a card's number says of the card. */
export interface CardBrand {
  /** The name as people know it. */
  readonly name: string;
  /** After how many digits there is a gap. */
  readonly gaps: readonly number[];
  /** How many digits the security code has. */
  readonly codeLength: number;
}

/** The brand of a number, also of its first digits; `undefined` while it can be more than one, or is none that is known. */
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
