import type { AvsCode } from './avs.ts';

/** What a policy does about one finding. */
export type Handling = 'accept' | 'review' | 'decline';

/** The handling of address checks. It mirrors the AVS settings of the merchant control panel (*shown*; the values are not). */
export interface AvsPolicy {
  /** Whether address checks count. Default: true. */
  readonly enabled?: boolean | undefined;
  /**
   * The codes to accept. With a list, every other code is `notAcceptable`, except those that ask for a retry or that
   * `international` handles. Default: what each code recommends.
   */
  readonly acceptableCodes?: readonly (AvsCode | (string & {}))[] | undefined;
  /** The least strict handling of a code that is not in `acceptableCodes`. Default: `review`. */
  readonly notAcceptable?: 'review' | 'decline' | undefined;
  /**
   * The choice for `N`, where the interface says "decline or review". Default: `review`, since buyers move house and
   * the comparison is rough.
   */
  readonly noMatch?: 'review' | 'decline' | undefined;
  /**
   * The handling of codes for foreign issuers and addresses (`G`; more with `inferredCodes`) that are not in
   * `acceptableCodes`. Default: `as_recommended`.
   */
  readonly international?: Handling | 'as_recommended' | undefined;
  /** The handling of a payment without an AVS result. Default: `accept`; see {@link assessFraud} for no result at all. */
  readonly missing?: Handling | undefined;
}

/** The handling of security-code checks. It mirrors the CVV settings of the merchant control panel (*shown*). */
export interface CvvPolicy {
  /** Whether security-code checks count. Default: true. */
  readonly enabled?: boolean | undefined;
  /**
   * The handling of a mismatch; `flag` gives a review. Default: `decline`, since the interface calls a mismatch a fraud
   * indicator, and a buyer who holds the card can read the code.
   */
  readonly mismatch?: 'decline' | 'flag' | undefined;
  /** The handling of a code that says neither match nor mismatch. Default: `review`. */
  readonly unverified?: Handling | undefined;
  /** The handling of a payment without a CVV result, such as a recurring one. Default: `accept`. */
  readonly missing?: Handling | undefined;
}

/**
 * The score from which each handling starts, from 0 to 100; each is at least the one before. 101 is above every score
 * and turns the handling off. The defaults are the bands of the interface (*shown*).
 */
export interface ScoreThresholds {
  /** From here on: accept, with a reason that says to monitor. Default: 21. */
  readonly monitor?: number | undefined;
  /** From here on: review. Default: 41. */
  readonly review?: number | undefined;
  /** From here on: decline, or require verification. Default: 61. */
  readonly verify?: number | undefined;
  /** From here on: decline. Default: 81. */
  readonly decline?: number | undefined;
}

/** The handling of the fraud scoring. It mirrors the score settings of the merchant control panel (*shown*). */
export interface RiskPolicy {
  /** Whether the fraud scoring counts. Default: true. */
  readonly enabled?: boolean | undefined;
  /** The scores at which the handling changes. Default: the bands of the interface. */
  readonly thresholds?: ScoreThresholds | undefined;
  /**
   * The choice for "decline, or require verification" if 3-D Secure did not authenticate the buyer. Default: `decline`.
   */
  readonly unverified?: 'review' | 'decline' | undefined;
  /** The choice if 3-D Secure authenticated the buyer. Default: `review`. */
  readonly verified?: Handling | undefined;
  /** Whether the service's own decision (`A`, `D`, `R`) counts beside the score. Default: true. */
  readonly followDecision?: boolean | undefined;
  /** The handling of a payment without a score and a decision. Default: `accept`. */
  readonly missing?: Handling | undefined;
}

/** The transactions that need no 3-D Secure where it is required. A failed authentication is never exempt. */
export interface ThreeDSecureExemptions {
  /** Amounts up to this one, a decimal string such as `30.00`. Default: none. */
  readonly amountUpTo?: string | undefined;
  /** Risk scores up to this one, from 0 to 100. Default: none. */
  readonly scoreUpTo?: number | undefined;
}

/** The handling of 3-D Secure. It mirrors the exemptions of the merchant control panel (*shown*; the values are not). */
export interface ThreeDSecurePolicy {
  /** Whether 3-D Secure outcomes count. Default: true. */
  readonly enabled?: boolean | undefined;
  /** Whether every transaction needs an outcome. Default: false. */
  readonly required?: boolean | undefined;
  /** The transactions that need no outcome where it is required. Default: none. */
  readonly exemptions?: ThreeDSecureExemptions | undefined;
  /** The handling of a transaction that lacks a required outcome. Default: `review`. */
  readonly missing?: 'review' | 'decline' | undefined;
  /**
   * The handling of a failed authentication. Default: `decline`, since the interface treats it as a high risk of fraud.
   */
  readonly failed?: 'review' | 'decline' | undefined;
  /** The handling of an authentication that was not available. Default: `review`. */
  readonly unavailable?: Handling | undefined;
}

/** The handling of each check. Every default follows the interface. */
export interface FraudPolicy {
  /** Address checks. */
  readonly avs?: AvsPolicy | undefined;
  /** Security-code checks. */
  readonly cvv?: CvvPolicy | undefined;
  /** The fraud scoring. */
  readonly risk?: RiskPolicy | undefined;
  /** 3-D Secure. */
  readonly threeDSecure?: ThreeDSecurePolicy | undefined;
  /**
   * Whether AVS and CVV codes that the interface does not list have the meaning that they have elsewhere in the card
   * industry (*inferred*; networks disagree about some). Default: false; such codes are unknown.
   */
  readonly inferredCodes?: boolean | undefined;
}
