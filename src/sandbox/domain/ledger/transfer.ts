import type { Charge } from '../../../resources/charges.ts';
import type { Refund } from '../../../resources/refunds.ts';
import { minorUnitsOf } from '../payments/transaction-amount.ts';
import type { Transfer } from '../records/ledger-records.ts';
import type { Transaction } from '../records/transaction.ts';

/** Returns the transfer of a charge. */
export function ofCharge({ status, currency, amount }: Charge): Transfer | undefined {
  return status === 'succeeded' ? { currency, debit: 'cash', credit: 'sales', amount } : undefined;
}

/** Returns the transfer of a refund. A pending refund counts as refunded, although the buyer does not have it yet. */
export function ofRefund({ status, currency, amount }: Refund): Transfer | undefined {
  if (status === 'failed') return undefined;
  const credit = status === 'succeeded' ? 'cash' : 'pending_refunds';
  return { currency, debit: 'refunds', credit, amount };
}

/** Returns the transfer of a form-endpoint transaction. */
export function ofTransaction(transaction: Transaction): Transfer | undefined {
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

/** Returns the transfers that lead from an object's old state to its new one. */
export function between(before: Transfer | undefined, after: Transfer | undefined): readonly Transfer[] {
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
