import type { AvsCode, InferredAvsCode } from './avs-result.ts';

/** What to do about one finding. */
export type Handling = 'accept' | 'review' | 'decline';

/**
 * What to do about address checks; it mirrors the AVS settings of the merchant control panel (*shown*; the values are
 * not).
 */
export interface AvsPolicy {
  /** Whether address checks count. Default: true. */
  readonly enabled?: boolean | undefined;
  /**
   * The codes to accept. Default: what each code recommends. With a list of your own every other code is
   * `notAcceptable`, save those that ask for a retry or that `international` handles.
   */
  readonly acceptableCodes?: readonly (AvsCode | InferredAvsCode | (string & {}))[] | undefined;
  /** What at least to do about a code that is not in `acceptableCodes`. Default: `review`. */
  readonly notAcceptable?: 'review' | 'decline' | undefined;
  /**
   * What the interface's "decline or review" for `N` becomes. Default: `review`, since buyers move house and the
   * comparison is a rough one.
   */
  readonly noMatch?: 'review' | 'decline' | undefined;
  /**
   * What to do about the codes of foreign issuers and addresses (`G`, and the *inferred* ones that are
   * `international`) unless they are in `acceptableCodes`. Default: `as_recommended`.
   */
  readonly international?: Handling | 'as_recommended' | undefined;
  /** What to do without an address check. Default: `accept`; see {@link assessFraud} for no check at all. */
  readonly missing?: Handling | undefined;
}

/** What to do about security-code checks; it mirrors the CVV settings of the merchant control panel (*shown*). */
export interface CvvPolicy {
  /** Whether security-code checks count. Default: true. */
  readonly enabled?: boolean | undefined;
  /**
   * What to do about a mismatch; `flag` gives a review. Default: `decline`, since the interface calls it a fraud
   * indicator, and who holds the card can read the code.
   */
  readonly mismatch?: 'decline' | 'flag' | undefined;
  /** What to do about a code that says neither match nor mismatch. Default: `review`. */
  readonly unverified?: Handling | undefined;
  /** What to do without a security-code check, as on repeated payments. Default: `accept`. */
  readonly missing?: Handling | undefined;
}

/**
 * The scores, from 0 to 100, from which each handling starts; each at least the one before. 101 is above every score,
 * so that the handling never starts. The defaults are the bands of the interface (*shown*).
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

/** What to do about the fraud scoring; it mirrors the score settings of the merchant control panel (*shown*). */
export interface RiskPolicy {
  /** Whether the fraud scoring counts. Default: true. */
  readonly enabled?: boolean | undefined;
  /** The scores at which the handling changes. Default: the bands of the interface. */
  readonly thresholds?: ScoreThresholds | undefined;
  /**
   * What "decline, or require verification" becomes for a buyer whom 3-D Secure did not authenticate. Default:
   * `decline`.
   */
  readonly unverified?: 'review' | 'decline' | undefined;
  /** What it becomes for a buyer whom 3-D Secure authenticated. Default: `review`. */
  readonly verified?: Handling | undefined;
  /** Whether the service's own decision (`A`, `D`, `R`) counts beside the score. Default: true. */
  readonly followDecision?: boolean | undefined;
  /** What to do without a score and a decision. Default: `accept`. */
  readonly missing?: Handling | undefined;
}

/**
 * Which transactions need no 3-D Secure although it is required. One that was authenticated without success is never
 * exempt.
 */
export interface ThreeDSecureExemptions {
  /** Amounts up to this one, a decimal string such as `30.00`. Default: none. */
  readonly amountUpTo?: string | undefined;
  /** Risk scores up to this one, from 0 to 100. Default: none. */
  readonly scoreUpTo?: number | undefined;
}

/** What to do about 3-D Secure; it mirrors the exemptions of the merchant control panel (*shown*; the values are not). */
export interface ThreeDSecurePolicy {
  /** Whether 3-D Secure outcomes count. Default: true. */
  readonly enabled?: boolean | undefined;
  /** Whether a transaction without an outcome is `missing` one. Default: false. */
  readonly required?: boolean | undefined;
  /** Which transactions may go without where it is required. Default: none. */
  readonly exemptions?: ThreeDSecureExemptions | undefined;
  /** What to do where an outcome is required and there is none. Default: `review`. */
  readonly missing?: 'review' | 'decline' | undefined;
  /**
   * What to do about a failed authentication. Default: `decline`, as for a high score, since the interface treats it
   * as a high risk of fraud.
   */
  readonly failed?: 'review' | 'decline' | undefined;
  /** What to do where authentication was not available. Default: `review`. */
  readonly unavailable?: Handling | undefined;
}

/** What to do about each check of a transaction. Everything has a default that follows the interface. */
export interface FraudPolicy {
  /** Address checks. */
  readonly avs?: AvsPolicy | undefined;
  /** Security-code checks. */
  readonly cvv?: CvvPolicy | undefined;
  /** The fraud scoring. */
  readonly risk?: RiskPolicy | undefined;
  /** 3-D Secure. */
  readonly threeDSecure?: ThreeDSecurePolicy | undefined;
}
