import type { ThreeDSecureStatus } from '../../../fraud/three-d-secure.ts';

/** What the sandbox knows of a card. It says nothing about the number. */
export interface KnownCard {
  /** A keyed hash of the number. */
  readonly fingerprint: string;
  /** The name of the test card that it is; `null` for any other. */
  readonly testCard: string | null;
  /** The first millisecond, since 1970, in which it is no longer valid. */
  readonly expiresAt: number;
  /** Whether a security code was given. */
  readonly hasCvv: boolean;
}

/** What stands for a card, once. */
export interface PaymentToken {
  /** The token. */
  readonly id: string;
  readonly card: KnownCard;
  /** The first millisecond, since 1970, in which it can no longer be used. */
  readonly expiresAt: number;
  /** Whether a transaction has used it. */
  readonly used: boolean;
}

/** What is remembered of a run, for the figures of the fraud monitor. */
export interface AuthenticationRecord {
  /** The authentication's id, its `xid`. */
  readonly id: string;
  /** What became of it. */
  readonly status: ThreeDSecureStatus;
  /** When, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The session whose hosted page asked; missing where a shop's page did. */
  readonly session?: string | undefined;
  /** What the buyer has not answered yet; `null` where nothing is asked, or no longer. */
  readonly challenge: OpenChallenge | null;
}

/** A question of the issuer that waits for its answer. */
export interface OpenChallenge {
  /** The token that is authenticated. */
  readonly paymentToken: string;
  /** The origin of the page that asked. */
  readonly origin: string;
  /** The session whose hosted page asked; missing where a shop's page did. */
  readonly session?: string | undefined;
}

/** What the browser script has collected of a buyer's device: that it did is all that is remembered. */
export interface DeviceSession {
  /** The session id, which a transaction takes as `risk_session_id`. */
  readonly id: string;
  /** When, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** One attempt that is counted. */
export interface CountedAttempt {
  /** The attempt, as a keyed hash. */
  readonly id: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** How much it adds, as digits, so that it can be kept as JSON: 1, or an amount in ten-thousandths. */
  readonly amount: string;
}

/** The attempts of one card, or one address, that a velocity rule counts. */
export interface VelocityCount {
  /** The rule's name and a keyed hash; it says nothing about the card. */
  readonly id: string;
  /** Those within the rule's window when it was last looked at, oldest first. */
  readonly attempts: readonly CountedAttempt[];
}
