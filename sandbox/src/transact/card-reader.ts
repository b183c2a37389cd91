import { type KeyedHash, keyedHash } from '../base/hash.ts';
import * as s from '../base/schema.ts';
import type { KnownCard } from '../domain/records/records.ts';
import { hasValidCheckDigit } from '../sdk.ts';
import { refuse } from './refusal.ts';
import { insteadOf, testCardNameOf } from './test-cards.ts';

/** A card as typed by a buyer. */
export type CardDetails = {
  /** The number, 12 to 19 digits. Only a keyed hash of it is stored. */
  readonly ccnumber: string;
  /** The expiry, `MMYY`. */
  readonly ccexp: string;
  /** The security code, 3 or 4 digits. It is not stored. Default: none. */
  readonly cvv?: string | undefined;
};

/** Returns a card number without blanks and hyphens. */
export function withoutGaps(ccnumber: string): string {
  return ccnumber.replaceAll(/[ -]/g, '');
}

/** Whether digits are a plausible card number. */
export function isCardNumber(digits: string): boolean {
  return /^\d{12,19}$/.test(digits) && hasValidCheckDigit(digits);
}

/** Whether a text is a plausible security code. */
export function isSecurityCode(text: string): boolean {
  return /^\d{3,4}$/.test(text);
}

/** Returns the end of an expiry's month; `undefined` for an invalid expiry. */
export function expiryOf(ccexp: string): number | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(ccexp) ?? [];
  return month === undefined ? undefined : Date.UTC(2000 + Number(year), Number(month));
}

const holdsNumber = (value: unknown) => typeof value === 'string' && isCardNumber(withoutGaps(value));
const holdsExpiry = (value: unknown) => typeof value === 'string' && expiryOf(value) !== undefined;
const holdsCode = (value: unknown) => typeof value === 'string' && (value === '' || isSecurityCode(value));

const paysElsewhere = (number: string) => insteadOf(number) === undefined;

export const cardDetails = s.optionsOf<CardDetails>(() => ({
  ccnumber: s
    .custom<string>(holdsNumber, '12 to 19 digits with a valid check digit')
    .check(s.refine(paysElsewhere, 'a number that no other service declines, such as testCards.doNotHonor')),
  ccexp: s.custom<string>(holdsExpiry, 'MMYY'),
  cvv: s.optional(s.custom<string>(holdsCode, '3 or 4 digits')),
}));

/** Reads cards, and stores only hashes of them. */
export class CardReader {
  readonly #hash: KeyedHash;

  /** @param secret The sandbox's security key, so that the same card has the same hash after a restart. */
  constructor(secret: string) {
    this.#hash = keyedHash(`payments-client sandbox cards ${secret}`);
  }

  /**
   * Returns the stored properties of a card.
   *
   * @throws FormRefusal for an invalid card; it never repeats a value.
   */
  async read({ ccnumber, ccexp, cvv = '' }: CardDetails): Promise<KnownCard> {
    const number = withoutGaps(ccnumber);
    if (!isCardNumber(number)) refuse('Invalid ccnumber: expected 12 to 19 digits with a valid check digit');
    const instead = insteadOf(number);
    if (instead !== undefined) {
      refuse(`Invalid ccnumber: expected no test number that another service declines. Use ${instead}`);
    }
    if (cvv !== '' && !isSecurityCode(cvv)) refuse('Invalid cvv: expected 3 or 4 digits');
    const expiresAt = expiryOf(ccexp) ?? refuse('Invalid ccexp: expected MMYY');
    const fingerprint = this.#hash(`card ${number}`);
    return { fingerprint, testCard: testCardNameOf(number), expiresAt, hasCvv: cvv !== '' };
  }
}
