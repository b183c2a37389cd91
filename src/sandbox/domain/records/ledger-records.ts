/**
 * The accounts of the ledger, which are the sandbox's own view: the service shows none. `cash`: money that the merchant has.
 * `pending_refunds`: refunds that buyers have not got yet. `sales`, `refunds` and `disputes`: why money came and went.
 */
export type LedgerAccountName = 'cash' | 'pending_refunds' | 'sales' | 'refunds' | 'disputes';

/** One line of an entry. */
export interface LedgerLine {
  readonly account: LedgerAccountName;
  /** In minor units: a debit above zero, a credit below. */
  readonly amount: number;
  /** The account's debits less its credits after this line, in minor units. */
  readonly balance: number;
}

/** One movement of money in double entry: its lines come to zero. Entries are added and never change. */
export interface LedgerEntry {
  readonly id: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** The currency, a 3-letter code in upper case. */
  readonly currency: string;
  /** The object that moved the money. */
  readonly object: { readonly kind: string; readonly id: string };
  /** What happened, in words. */
  readonly text: string;
  readonly lines: readonly LedgerLine[];
}

/** What the lines of an account come to. An index, so that nobody adds them up. */
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
