import type { Chargeback } from '../../../webhooks/events/chargeback.ts';
import { accountCurrency, readAmount } from '../payments/transaction-amount.ts';
import type { State } from '../state.ts';
import { post } from './post.ts';

/**
 * Posts a chargeback: the bank takes the money back. A repeated chargeback is posted once. One whose amount does not
 * fit the currency of its transaction is skipped.
 *
 * @param event The id of the event that reports it.
 */
export function postDispute(state: State, chargeback: Chargeback, event: string): void {
  const { ledger_entry: entries, transaction: transactions } = state.objects;
  const id = `dispute ${chargeback.chargeback_id}`;
  const transaction = transactions.get(chargeback.transaction_id);
  const currency = transaction?.currency ?? accountCurrency;
  const amount = readAmount(chargeback.amount, currency);
  if (amount === undefined || entries.get(id) !== undefined) return;
  const about =
    transaction === undefined
      ? { object_kind: 'event', object_id: event }
      : { object_kind: 'transaction', object_id: transaction.id };
  post(state, { currency, debit: 'disputes', credit: 'cash', amount }, { ...about, id, text: 'Dispute' });
}
