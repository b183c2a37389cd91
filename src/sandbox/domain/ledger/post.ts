import type { LedgerAccountName, Transfer } from '../records/ledger-records.ts';
import type { State } from '../state.ts';

function add(
  { objects }: State,
  currency: string,
  account: LedgerAccountName,
  sums: { readonly debits: number; readonly credits: number },
): void {
  const id = `${currency} ${account}`;
  const before = objects.ledger_account.get(id) ?? { debits: 0, credits: 0 };
  const debits = before.debits + sums.debits;
  const credits = before.credits + sums.credits;
  objects.ledger_account.replace({ id, currency, debits, credits });
}

/**
 * Posts a transfer to the ledger.
 *
 * @param id The entry's id. Default: its number.
 */
export function post(state: State, transfer: Transfer, id?: string): void {
  const { ledger_entry: entries } = state.objects;
  const { currency, debit, credit, amount } = transfer;
  if (amount === 0) return;
  entries.add({ id: id ?? String(entries.size + 1), ...transfer });
  add(state, currency, debit, { debits: amount, credits: 0 });
  add(state, currency, credit, { debits: 0, credits: amount });
}
