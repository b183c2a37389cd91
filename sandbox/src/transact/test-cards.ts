import type { Inline } from '../base/inline.ts';
import type { AvsCode, CvvCode, ThreeDSecureStatus } from '../base/interface-types.ts';
import { isRecord } from '../base/json.ts';
import { declinedElsewhere } from '../domain/payments/declined-elsewhere.ts';

/** The decline of a test card. */
type TestCardDecline = {
  /** The `response`: `2` for a decline, `3` for an error before the issuer. */
  readonly response: '2' | '3';
  /** The `responsetext`; an error has the suffix ` REFID:…`. */
  readonly responsetext: string;
  /** The `response_code`. */
  readonly code: string;
};

/** A card number with a fixed result. */
export type TestCard = Inline<{
  /** The number. Its check digit is valid, and no issuer uses its prefix. */
  readonly number: string;
  /** The `avsresponse`, whatever the address is. */
  readonly avs: AvsCode;
  /** The `cvvresponse`, whatever the security code is; empty without a code. */
  readonly cvv: CvvCode;
  /** The result of 3-D Secure. */
  readonly threeDSecure: ThreeDSecureStatus;
  /** The decline; `null` for a card that pays. */
  readonly decline: TestCardDecline | null;
}>;

/** The names of the test cards. */
export type TestCardName = Inline<
  | 'fullMatch'
  | 'noMatch'
  | 'addressAndZip'
  | 'addressOnly'
  | 'zipOnly'
  | 'noAddressMatch'
  | 'cvvMismatch'
  | 'zipOnly9Digits'
  | 'avsUnavailable'
  | 'avsRetry'
  | 'avsError'
  | 'avsNotSupported'
  | 'avsGlobal'
  | 'authenticated'
  | 'frictionless'
  | 'authenticationUnavailable'
  | 'authenticationFailed'
  | 'challengeRequired'
  | 'doNotHonor'
  | 'insufficientFunds'
  | 'expiredCard'
  | 'stolenCard'
  | 'processingError'
>;

/** Returns what a buyer types to pay with a test card. */
export function typedTestCard({ number }: TestCard) {
  return { ccnumber: number, ccexp: '1235', cvv: '123' };
}

/** Whether a card is one of the test cards, with its results in place of an expiry and a security code. */
export function isTestCard(card: unknown): card is TestCard {
  return isRecord(card) && typeof card['number'] === 'string' && 'avs' in card;
}

const pays: Omit<TestCard, 'number'> = { avs: 'Y', cvv: 'M', threeDSecure: 'authenticated', decline: null };

function checks(number: string, avs: AvsCode, cvv: CvvCode = 'M'): TestCard {
  return { ...pays, number, avs, cvv };
}

function authenticates(number: string, threeDSecure: ThreeDSecureStatus): TestCard {
  return { ...pays, number, threeDSecure };
}

function declines(number: string, code: string, responsetext: string, response: '2' | '3' = '2'): TestCard {
  return { ...pays, number, decline: { response, responsetext, code } };
}

/** The behaviour of any other number, and of any token that the sandbox did not create. */
const ordinaryCard: Omit<TestCard, 'number'> = pays;

/**
 * Test cards. The interface names the results but no numbers, so the numbers are the sandbox's own. Any other number
 * with a valid check digit pays, with AVS `Y` and CVV `M`. A number that another service declines in tests, such as
 * Stripe's 4000000000000002, is refused.
 *
 * @example
 * await payments.transact.sale({ amount: '12.00', ccnumber: testCards.cvvMismatch.number, ccexp: '1230', cvv: '123' });
 */
export const testCards: Readonly<Record<TestCardName, TestCard>> = {
  fullMatch: checks('9999001000000010', 'X'),
  noMatch: checks('9999001000000028', 'N', 'N'),
  addressAndZip: checks('9999001000000036', 'Y'),
  addressOnly: checks('9999001000000044', 'A'),
  zipOnly: checks('9999001000000051', 'Z'),
  noAddressMatch: checks('9999001000000069', 'N'),
  cvvMismatch: checks('9999001000000077', 'Y', 'N'),
  zipOnly9Digits: checks('9999002000000018', 'W'),
  avsUnavailable: checks('9999002000000026', 'U'),
  avsRetry: checks('9999002000000034', 'R'),
  avsError: checks('9999002000000042', 'E'),
  avsNotSupported: checks('9999002000000059', 'S'),
  avsGlobal: checks('9999002000000067', 'G'),
  authenticated: authenticates('9999003000000016', 'authenticated'),
  frictionless: authenticates('9999003000000024', 'frictionless'),
  authenticationUnavailable: authenticates('9999003000000032', 'unavailable'),
  authenticationFailed: authenticates('9999003000000040', 'failed'),
  challengeRequired: authenticates('9999003000000057', 'challenge_required'),
  doNotHonor: declines('9999004000000014', '201', 'Do not honor'),
  insufficientFunds: declines('9999004000000022', '202', 'Insufficient funds'),
  expiredCard: declines('9999004000000030', '223', 'Expired card'),
  stolenCard: declines('9999004000000048', '252', 'Stolen card'),
  processingError: declines('9999004000000055', '400', 'Transaction error returned by processor', '3'),
};

const byName = new Map(Object.entries(testCards));
const nameByNumber = new Map(Object.entries(testCards).map(([name, { number }]) => [number, name]));

/** Returns the name of a number's test card; `null` for any other number. */
export function testCardNameOf(number: string): string | null {
  return nameByNumber.get(number) ?? null;
}

/**
 * Returns the card to use instead of a number that another service declines, as text; `undefined` for any other number. Such a number
 * would pay here, so a test of declines would pass unnoticed.
 */
export function insteadOf(number: string): string | undefined {
  const card = declinedElsewhere(number)?.card;
  return card && `testCards.${card} (${testCards[card].number})`;
}

export function behaviourOf(name: string | null): Omit<TestCard, 'number'> {
  return (name === null ? undefined : byName.get(name)) ?? ordinaryCard;
}
