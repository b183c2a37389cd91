import type { Chargeback } from '../../../webhooks/events/chargeback.ts';
import { accountCurrency, readAmount } from '../payments/transaction-amount.ts';
import type { State } from '../state.ts';
import { post } from './post.ts';

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
