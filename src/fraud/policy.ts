import type { AvsCode } from './avs.ts';

/** What a policy does about one finding. */
export type Handling = 'accept' | 'review' | 'decline';

/** The handling of address checks. Mirrors the AVS settings of the merchant control panel (*shown*; the values are not). */
export interface AvsPolicy {
  /** Whether address checks count. Default: true. */
  readonly enabled?: boolean | undefined;
  /**
   * The codes to accept. With a list, `notAcceptable` applies to every other code, except codes that recommend a retry or
   * that `international` handles. Default: each code's recommendation.
   */
  readonly acceptableCodes?: readonly (AvsCode | (string & {}))[] | undefined;
  /** The least strict handling of a code outside `acceptableCodes`. Default: `review`. */
  readonly notAcceptable?: 'review' | 'decline' | undefined;
  /**
   * What to do about code `N`, for which the interface says "decline or review". Default: `review`, since buyers move house
   * and the comparison is not exact.
   */
  readonly noMatch?: 'review' | 'decline' | undefined;
  /**
   * The handling of codes for foreign issuers and addresses (`G`; more with `inferredCodes`) outside `acceptableCodes`.
   * Default: `as_recommended`.
   */
  readonly international?: Handling | 'as_recommended' | undefined;
  /**
   * The handling of a payment without an AVS result. Default: `accept`; see {@link assessFraud} for a payment without
   * any result.
   */
  readonly missing?: Handling | undefined;
}

/** The handling of security-code checks. Mirrors the CVV settings of the merchant control panel (*shown*). */
export interface CvvPolicy {
  /** Whether security-code checks count. Default: true. */
  readonly enabled?: boolean | undefined;
  /**
   * The handling of a mismatch; `flag` means a review. Default: `decline`, since the interface calls a mismatch a fraud
   * indicator, and a buyer with the card can read the code.
   */
  readonly mismatch?: 'decline' | 'flag' | undefined;
  /** The handling of a code that means neither match nor mismatch. Default: `review`. */
  readonly unverified?: Handling | undefined;
  /** The handling of a payment without a CVV result, such as a recurring one. Default: `accept`. */
  readonly missing?: Handling | undefined;
}

/**
 * The score from which each handling applies, from 0 to 100, in ascending order. A handling with the score of the
 * next one never applies, and 101 is above every score. The defaults are the bands of the interface (*shown*).
 */
export interface ScoreThresholds {
  /** Accept from this score, with a reason that recommends monitoring. Default: 21. */
  readonly monitor?: number | undefined;
  /** Review from this score. Default: 41. */
  readonly review?: number | undefined;
  /** Decline, or require verification, from this score. Default: 61. */
  readonly verify?: number | undefined;
  /** Decline from this score. Default: 81. */
  readonly decline?: number | undefined;
}

/** The handling of the fraud scoring. Mirrors the score settings of the merchant control panel (*shown*). */
export interface RiskPolicy {
  /** Whether the fraud scoring counts. Default: true. */
  readonly enabled?: boolean | undefined;
  /** The scores at which the handling changes. Default: the bands of the interface. */
  readonly thresholds?: ScoreThresholds | undefined;
  /**
   * What to do if the interface says "decline, or require verification" and 3-D Secure did not authenticate the buyer.
   * Default: `decline`.
   */
  readonly unverified?: 'review' | 'decline' | undefined;
  /** What to do in the same case if 3-D Secure authenticated the buyer. Default: `review`. */
  readonly verified?: Handling | undefined;
  /** Whether the service's own decision (`A`, `D`, `R`) counts in addition to the score. Default: true. */
  readonly followDecision?: boolean | undefined;
  /** The handling of a payment with neither a score nor a decision. Default: `accept`. */
  readonly missing?: Handling | undefined;
}

/** The transactions exempt from required 3-D Secure. A failed authentication is never exempt. */
export interface ThreeDSecureExemptions {
  /** Exempts amounts up to this one, a decimal string such as `30.00`. Default: none. */
  readonly amountUpTo?: string | undefined;
  /** Exempts risk scores up to this one, from 0 to 100. Default: none. */
  readonly scoreUpTo?: number | undefined;
}

/** The handling of 3-D Secure. Mirrors the exemptions of the merchant control panel (*shown*; the values are not). */
export interface ThreeDSecurePolicy {
  /** Whether 3-D Secure results count. Default: true. */
  readonly enabled?: boolean | undefined;
  /** Whether every transaction needs a 3-D Secure result. Default: false. */
  readonly required?: boolean | undefined;
  /** The transactions that need no result even if it is required. Default: none. */
  readonly exemptions?: ThreeDSecureExemptions | undefined;
  /** The handling of a transaction that lacks a required result. Default: `review`. */
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
   * Whether unlisted AVS and CVV codes get their meaning from the card industry (*inferred*; networks disagree about
   * some). Default: false; such codes are unknown.
   */
  readonly inferredCodes?: boolean | undefined;
}
