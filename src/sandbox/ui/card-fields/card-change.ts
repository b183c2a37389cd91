import { isCardNumber, isSecurityCode } from '../../transact/card-reader.ts';
import type { CardChange } from '../frames/messages.ts';

/** Brands, and the prefix of their numbers. */
const brands: readonly (readonly [name: string, beginning: RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['discover', /^(?:6011|64[4-9]|65)/],
];

function isExpiry(text: string): boolean {
  const [, month] = /^(\d{1,2}?)\s*(?:[/.-]\s*)?(?:20)?\d\d$/.exec(text.trim()) ?? [];
  return Number(month) >= 1 && Number(month) <= 12;
}

/** Returns the state of the form that the page may see: no digits. */
export function changeOf(card: {
  readonly ccnumber: string;
  readonly ccexp: string;
  readonly cvv: string;
}): CardChange {
  const number = card.ccnumber.replaceAll(/[\s-]/g, '');
  const isComplete = isCardNumber(number) && isExpiry(card.ccexp) && isSecurityCode(card.cvv.trim());
  const [brand] = brands.find(([, beginning]) => beginning.test(number)) ?? [];
  return { complete: isComplete, empty: `${number}${card.ccexp}${card.cvv}` === '', brand };
}
