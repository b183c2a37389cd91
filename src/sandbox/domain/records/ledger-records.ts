/**
 * The ledger's accounts. They are the sandbox's own: the service shows none. `cash`: the merchant's money.
 * `pending_refunds`: refunds that buyers do not have yet. `sales`, `refunds` and `disputes`: the reasons of
 * movements.
 */
export type LedgerAccountName = 'cash' | 'pending_refunds' | 'sales' | 'refunds' | 'disputes';

/** A movement from one account to another. */
export interface Transfer {
  /** The currency, a 3-letter code in upper case. */
  readonly currency: string;
  /** The debited account. */
  readonly debit: LedgerAccountName;
  /** The credited account. */
  readonly credit: LedgerAccountName;
  /** In minor units. */
  readonly amount: number;
}

/** One movement in double entry. Entries are append-only. */
export interface LedgerEntry extends Transfer {
  readonly id: string;
}

/** The totals of a ledger account: a derived index. */
export interface LedgerAccount {
  /** The currency and the account, such as `USD cash`. */
  readonly id: string;
  readonly currency: string;
  /** In minor units. */
  readonly debits: number;
  /** In minor units. */
  readonly credits: number;
}
