import type { AvsCode } from '../../../fraud/avs.ts';
import type { CvvCode } from '../../../fraud/cvv.ts';
import type { RiskDecision } from '../../../fraud/risk.ts';

/** The types of transactions; `sale` is *shown*, the others are *inferred*. */
export const transactionTypes = ['sale', 'auth', 'capture', 'void', 'refund', 'credit', 'validate'] as const;

/** The type of a transaction. */
export type TransactionType = (typeof transactionTypes)[number];

/** Types that are a transaction of their own; `capture` and `void` change an earlier one. */
export type RecordedType = Exclude<TransactionType, 'capture' | 'void'>;

/**
 * Where a transaction stands. `authorized`: held until it is captured. `pending`: waits for settlement. `settled`: can
 * be voided no more. `voided`: taken back. `expired`: authorized and never captured. `validated`: only the card was
 * looked at. `declined`: by the issuer or the fraud protection. `failed`: on the way to the issuer.
 */
export type TransactionStatus =
  | 'authorized'
  | 'pending'
  | 'settled'
  | 'voided'
  | 'expired'
  | 'validated'
  | 'declined'
  | 'failed';

/** A transaction of the form endpoint. No card data is kept. */
export interface Transaction {
  /** The `transactionid`. */
  readonly id: string;
  /** What was asked for. A capture or a void is no transaction of its own, but changes an earlier one. */
  readonly type: RecordedType;
  /** The amount, a decimal string with the decimals of its currency: `12.00`, `1200` yen, `1.200` dinars; zero for `validate`. */
  readonly amount: string;
  /** The currency, a 3-letter code in upper case; `USD` where the form named none (*inferred*). */
  readonly currency: string;
  /** The merchant's order number; empty where none came. */
  readonly orderid: string;
  /** Whether it was approved. */
  readonly approved: boolean;
  /** Where it stands. */
  readonly status: TransactionStatus;
  /** What was answered: `1` approved, `2` declined, `3` error. */
  readonly response: '1' | '2' | '3';
  /** The answer in words. */
  readonly responsetext: string;
  /** The answer as a code. */
  readonly responseCode: string;
  /** The issuer's code; empty where it did not approve. */
  readonly authcode: string;
  /** How much was taken, a decimal string. */
  readonly captured: string;
  /** How much of it was given back by refunds that were not voided, a decimal string. */
  readonly refunded: string;
  /** The transaction that a refund belongs to; `null` for every other type. */
  readonly refundOf: string | null;
  /** The address check; empty where there was none. */
  readonly avs: AvsCode | '';
  /** The security-code check; empty where there was none. */
  readonly cvv: CvvCode | '';
  /** The score from 0 to 100; `null` for refunds and credits. */
  readonly riskScore: number | null;
  /** Approve, review or decline; `null` for refunds and credits. */
  readonly riskDecision: RiskDecision | null;
  /** The device session that came along as `risk_session_id`; `null` where none did that the sandbox has made. */
  readonly riskSessionId: string | null;
  /** The names of the velocity rules that it exceeded. */
  readonly velocityRules: readonly string[];
  /** When it was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When time changes its status next, in milliseconds since 1970; `null` where it does not. */
  readonly dueAt: number | null;
}
