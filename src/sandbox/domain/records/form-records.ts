import type { ThreeDSecureStatus } from '../../../fraud/three-d-secure.ts';

/** The stored properties of a card. They do not reveal its number. */
export interface KnownCard {
  /** A keyed hash of the number. */
  readonly fingerprint: string;
  /** The name of the test card; `null` for any other card. */
  readonly testCard: string | null;
  /** The first millisecond, since 1970, in which it is expired. */
  readonly expiresAt: number;
  /** Whether a security code was given. */
  readonly hasCvv: boolean;
}

/** A single-use token for a card. */
export interface PaymentToken {
  /** The token. */
  readonly id: string;
  readonly card: KnownCard;
  /** The first millisecond, since 1970, in which the token is expired. */
  readonly expiresAt: number;
  /** Whether a transaction has used it. */
  readonly used: boolean;
}

/** The record of a 3-D Secure run, for the stories. */
export interface AuthenticationRecord {
  /** The authentication's id, its `xid`. */
  readonly id: string;
  /** The result. */
  readonly status: ThreeDSecureStatus;
  /** The session whose hosted page started it; missing for a shop's own page. */
  readonly session?: string | undefined;
  /** The open challenge; `null` if there is none. */
  readonly challenge: OpenChallenge | null;
}

/** An issuer's challenge that waits for the buyer. */
export interface OpenChallenge {
  /** The token to authenticate. */
  readonly paymentToken: string;
  /** The origin of the page that started it. */
  readonly origin: string;
  /** The session whose hosted page started it; missing for a shop's own page. */
  readonly session?: string | undefined;
}

/** A device session of the browser script. The collected data is not stored. */
export interface DeviceSession {
  /** The session id, which a transaction takes as `risk_session_id`. */
  readonly id: string;
  /** The time, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** One counted attempt. */
export interface CountedAttempt {
  /** The attempt, as a keyed hash. */
  readonly id: string;
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  /** Its weight as digits, so that it fits JSON: 1, or an amount in ten-thousandths. */
  readonly amount: string;
}

/** The attempts of one card or address that a velocity rule counts. */
export interface VelocityCount {
  /** The rule's name and a keyed hash. It does not reveal the card. */
  readonly id: string;
  /** The attempts within the rule's window at its last update, oldest first. */
  readonly attempts: readonly CountedAttempt[];
}
