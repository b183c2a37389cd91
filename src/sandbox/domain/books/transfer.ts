import type { Charge } from '../../../resources/charges.ts';
import type { Refund } from '../../../resources/refunds.ts';
import { minorUnitsOf } from '../payments/transaction-amount.ts';
import type { LedgerAccountName } from '../records/ledger-records.ts';
import type { Transaction } from '../records/transaction.ts';

/** Money that an object has moved from one account to another, all told. */
export interface Transfer {
  readonly currency: string;
  readonly debit: LedgerAccountName;
  readonly credit: LedgerAccountName;
  /** In minor units. */
  readonly amount: number;
}

/** What a charge has moved. */
export function ofCharge({ status, currency, amount }: Charge): Transfer | undefined {
  return status === 'succeeded' ? { currency, debit: 'cash', credit: 'sales', amount } : undefined;
}

/** What a refund has moved. A pending one counts as given back, and the buyer has not got it yet. */
export function ofRefund({ status, currency, amount }: Refund): Transfer | undefined {
  if (status === 'failed') return undefined;
  const credit = status === 'succeeded' ? 'cash' : 'pending_refunds';
  return { currency, debit: 'refunds', credit, amount };
}

/** What a transaction of the form endpoint has moved. */
export function ofTransaction(transaction: Transaction): Transfer | undefined {
  const { type, approved, status, currency } = transaction;
  if (!approved || status === 'voided') return undefined;
  if (type === 'refund' || type === 'credit') {
    return { currency, debit: 'refunds', credit: 'cash', amount: minorUnitsOf(transaction.amount) };
  }
  const amount = minorUnitsOf(transaction.captured);
  return amount === 0 ? undefined : { currency, debit: 'cash', credit: 'sales', amount };
}
