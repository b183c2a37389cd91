import type { LedgerAccountName, LedgerEntry, Transfer } from '../records/ledger-records.ts';
import type { State } from '../state.ts';

/** The metadata of an entry. */
export type Posting = Pick<LedgerEntry, 'object_kind' | 'object_id' | 'text'> & {
  /** The entry's id. Default: its number. */
  readonly id?: string;
};

/** Adds to an account and returns the new balance. */
function add(
  { objects }: State,
  currency: string,
  account: LedgerAccountName,
  sums: { readonly debits: number; readonly credits: number },
): number {
  const id = `${currency} ${account}`;
  const before = objects.ledger_account.get(id) ?? { debits: 0, credits: 0 };
  const debits = before.debits + sums.debits;
  const credits = before.credits + sums.credits;
  objects.ledger_account.replace({ id, currency, account, debits, credits });
  return debits - credits;
}

/** Posts a transfer to the ledger. */
export function post(state: State, transfer: Transfer, posting: Posting): void {
  const { ledger_entry: entries } = state.objects;
  const { currency, debit, credit, amount } = transfer;
  if (amount === 0) return;
  entries.add({
    id: String(entries.size + 1),
    at: state.clock.now(),
    currency,
    debit,
    credit,
    amount,
    debit_balance: add(state, currency, debit, { debits: amount, credits: 0 }),
    credit_balance: add(state, currency, credit, { debits: 0, credits: amount }),
    ...posting,
  });
}
