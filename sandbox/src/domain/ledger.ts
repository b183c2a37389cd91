import type { Charge, Refund } from 'payments-client';
import type { Chargeback } from '../base/interface-types.ts';
import { accountCurrency, minorUnitsOf, readAmount } from './amounts.ts';
import type { LedgerAccountName, Transfer } from './records/records.ts';
import type { Transaction } from './records/transaction.ts';
import type { Change, State } from './state.ts';

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
function post(state: State, transfer: Transfer, id?: string): void {
  const { ledger_entry: entries } = state.objects;
  const { currency, debit, credit, amount } = transfer;
  if (amount === 0) return;
  entries.add({ id: id ?? String(entries.size + 1), ...transfer });
  add(state, currency, debit, { debits: amount, credits: 0 });
  add(state, currency, credit, { debits: 0, credits: amount });
}

function ofCharge({ status, currency, amount }: Charge): Transfer | undefined {
  return status === 'succeeded' ? { currency, debit: 'cash', credit: 'sales', amount } : undefined;
}

/** Returns the transfer of a refund. A pending refund counts as refunded, although the buyer does not have it yet. */
function ofRefund({ status, currency, amount }: Refund): Transfer | undefined {
  if (status === 'failed') return undefined;
  const credit = status === 'succeeded' ? 'cash' : 'pending_refunds';
  return { currency, debit: 'refunds', credit, amount };
}

function ofTransaction(transaction: Transaction): Transfer | undefined {
  const { type, approved, status, currency } = transaction;
  if (!approved || status === 'voided') return undefined;
  if (type === 'refund' || type === 'credit') {
    return { currency, debit: 'refunds', credit: 'cash', amount: minorUnitsOf(transaction.amount) };
  }
  const amount = minorUnitsOf(transaction.captured);
  return amount === 0 ? undefined : { currency, debit: 'cash', credit: 'sales', amount };
}

function reversed({ debit, credit, ...transfer }: Transfer): Transfer {
  return { ...transfer, debit: credit, credit: debit };
}

function between(before: Transfer | undefined, after: Transfer | undefined): readonly Transfer[] {
  if (before === undefined || after === undefined) {
    return [...(before === undefined ? [] : [reversed(before)]), ...(after === undefined ? [] : [after])];
  }
  const isSameSource = before.currency === after.currency && before.debit === after.debit;
  if (isSameSource && before.credit === after.credit) {
    const difference = after.amount - before.amount;
    if (difference === 0) return [];
    return [difference > 0 ? { ...after, amount: difference } : reversed({ ...after, amount: -difference })];
  }
  if (isSameSource && before.amount === after.amount) return [{ ...after, debit: before.credit }];
  return [reversed(before), after];
}

/** Returns the transfers that lead from an object's old state to its new one. */
function transfersOf(change: Change): readonly Transfer[] {
  switch (change.kind) {
    case 'charge':
      return between(change.before && ofCharge(change.before), change.after && ofCharge(change.after));
    case 'refund':
      return between(change.before && ofRefund(change.before), change.after && ofRefund(change.after));
    case 'transaction':
      return between(
        change.before && ofTransaction(change.before),
        change.after && ofTransaction(change.after),
      );
    default:
      return [];
  }
}

/** Posts the movements of a unit of work to the ledger. */
export function postChanges(state: State, changes: readonly Change[]): void {
  // Postings are changes too, but are not posted.
  for (const change of changes.slice()) {
    for (const transfer of transfersOf(change)) post(state, transfer);
  }
}

/**
 * Posts a chargeback: the bank takes the money back. A repeated chargeback is posted once. One whose amount does not
 * fit the currency of its transaction is skipped.
 */
export function postDispute(state: State, chargeback: Chargeback): void {
  const { ledger_entry: entries, transaction: transactions } = state.objects;
  const id = `dispute ${chargeback.chargeback_id}`;
  const currency = transactions.get(chargeback.transaction_id)?.currency ?? accountCurrency;
  const amount = readAmount(chargeback.amount, currency);
  if (amount === undefined || entries.get(id) !== undefined) return;
  post(state, { currency, debit: 'disputes', credit: 'cash', amount }, id);
}
