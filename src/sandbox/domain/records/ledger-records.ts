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

/**
 * One movement in double entry. Entries are append-only, and flat to save memory, since there is one for each charge.
 */
export interface LedgerEntry extends Transfer {
  readonly id: string;
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  /** The debited account's debits minus its credits after this entry, in minor units. */
  readonly debit_balance: number;
  /** The same for the credited account. */
  readonly credit_balance: number;
  /** The kind of the object whose change posted it. */
  readonly object_kind: string;
  /** The id of that object. */
  readonly object_id: string;
  /** The description. */
  readonly text: string;
}

/** The totals of a ledger account: a derived index. */
export interface LedgerAccount {
  /** The currency and the account. */
  readonly id: string;
  readonly currency: string;
  readonly account: LedgerAccountName;
  /** In minor units. */
  readonly debits: number;
  /** In minor units. */
  readonly credits: number;
}
