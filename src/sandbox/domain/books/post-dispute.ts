import { toMinorUnits } from '../../../money/to-minor-units.ts';
import { accountCurrency } from '../payments/transaction-amount.ts';
import type { State } from '../state.ts';
import { post } from './post.ts';

/** What is disputed: as much of a chargeback's notification as the ledger needs. */
export interface Dispute {
  readonly chargeback_id: string;
  readonly transaction_id: string;
  /** A decimal string. The notification does not say its currency. */
  readonly amount: string;
}

function minorUnits(amount: string, currency: string): number | undefined {
  try {
    return toMinorUnits(amount, currency);
  } catch {
    return undefined;
  }
}

/**
 * Posts a chargeback: the bank takes the money back. A chargeback that comes again is posted once. One whose amount does not fit the
 * currency of its transaction is left out.
 *
 * @param event The id of the event that told of it.
 */
export function postDispute(state: State, dispute: Dispute, event: string): void {
  const { ledger_entry: entries, transaction: transactions } = state.objects;
  const id = `dispute ${dispute.chargeback_id}`;
  const transaction = transactions.get(dispute.transaction_id);
  const currency = transaction?.currency ?? accountCurrency;
  const amount = minorUnits(dispute.amount, currency);
  if (amount === undefined || entries.get(id) !== undefined) return;
  const object =
    transaction === undefined ? { kind: 'event', id: event } : { kind: 'transaction', id: transaction.id };
  const transfer = { currency, debit: 'disputes', credit: 'cash', amount } as const;
  post(state, undefined, transfer, { id, object, text: 'Dispute' });
}
