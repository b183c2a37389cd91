import type { Inline } from '../../base/inline.ts';
import type { AvsCode, CvvCode, RiskDecision } from '../../base/interface-types.ts';

/** The types of transactions; `sale` is *shown*, the others are *inferred*. */
export const transactionTypes = ['sale', 'auth', 'capture', 'void', 'refund', 'credit', 'validate'] as const;

/** The type of a transaction. */
export type TransactionType = (typeof transactionTypes)[number];

/** Types that create a transaction; `capture` and `void` update an earlier one. */
type RecordedType = Exclude<TransactionType, 'capture' | 'void'>;

/**
 * The status of a transaction. `authorized`: waits for a capture. `pending`: waits for settlement. `settled`: can no
 * longer be voided. `voided`: canceled. `expired`: authorized and never captured. `validated`: only the card was
 * checked. `declined`: by the issuer or the fraud protection. `failed`: before it reached the issuer.
 */
export type TransactionStatus = Inline<
  'authorized' | 'pending' | 'settled' | 'voided' | 'expired' | 'validated' | 'declined' | 'failed'
>;

/** A transaction of the form endpoint, without card data. */
export interface Transaction {
  /** The `transactionid`. */
  readonly id: string;
  /** The requested type. A capture or a void updates an earlier transaction instead. */
  readonly type: RecordedType;
  /** The amount, a decimal string with the decimals of its currency: `12.00`, `1200` yen, `1.200` dinars; zero for `validate`. */
  readonly amount: string;
  /** The currency, a 3-letter code in upper case; `USD` if the request named none (*inferred*). */
  readonly currency: string;
  /** The merchant's order number; empty if none was sent. */
  readonly orderid: string;
  /** Whether it was approved. */
  readonly approved: boolean;
  /** The status. */
  readonly status: TransactionStatus;
  /** The `response`: `1` approved, `2` declined, `3` error. */
  readonly response: '1' | '2' | '3';
  /** The `responsetext`. */
  readonly responsetext: string;
  /** The `response_code`. */
  readonly responseCode: string;
  /** The issuer's authorization code; empty if it did not approve. */
  readonly authcode: string;
  /** The captured amount, a decimal string. */
  readonly captured: string;
  /** The refunded amount without voided refunds, a decimal string. */
  readonly refunded: string;
  /** The transaction that a refund refunds; `null` for every other type. */
  readonly refundOf: string | null;
  /** The result of the address check; empty without one. */
  readonly avs: AvsCode | '';
  /** The result of the security-code check; empty without one. */
  readonly cvv: CvvCode | '';
  /** The risk score from 0 to 100; `null` for refunds and credits. */
  readonly riskScore: number | null;
  /** Approve, review or decline; `null` for refunds and credits. */
  readonly riskDecision: RiskDecision | null;
  /** The device session of `risk_session_id`; `null` without one, or for one that the sandbox did not create. */
  readonly riskSessionId: string | null;
  /** The names of the exceeded velocity rules. */
  readonly velocityRules: readonly string[];
  /** The creation time, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When its status changes next by time, in milliseconds since 1970; `null` if it does not. */
  readonly dueAt: number | null;
}
