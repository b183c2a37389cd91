/**
 * The accounts of the ledger, which are the sandbox's own view: the service shows none. `cash`: money that the merchant has.
 * `pending_refunds`: refunds that buyers have not got yet. `sales`, `refunds` and `disputes`: why money came and went.
 */
export type LedgerAccountName = 'cash' | 'pending_refunds' | 'sales' | 'refunds' | 'disputes';

/** Money that moves from one account to another. */
export interface Transfer {
  /** The currency, a 3-letter code in upper case. */
  readonly currency: string;
  /** The account that is debited. */
  readonly debit: LedgerAccountName;
  /** The account that is credited. */
  readonly credit: LedgerAccountName;
  /** In minor units. */
  readonly amount: number;
}

/** One movement of money in double entry. Entries are added and never change; they are flat, since there is one for each charge. */
export interface LedgerEntry extends Transfer {
  readonly id: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** The debited account's debits less its credits after this entry, in minor units. */
  readonly debit_balance: number;
  /** The same of the credited account. */
  readonly credit_balance: number;
  /** The kind of the object that moved the money. */
  readonly object_kind: string;
  /** The id of that object. */
  readonly object_id: string;
  /** What happened, in words. */
  readonly text: string;
}

/** What the entries of an account come to. An index, so that nobody adds them up. */
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
