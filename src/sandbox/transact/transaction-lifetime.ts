import { day } from '../../base/time.ts';
import type { Transaction, TransactionStatus } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';

/** How long after it was taken or given back money is settled, in milliseconds. */
const timeToSettle = day;
/** How long money is held for a capture, in milliseconds. */
const timeToCapture = 7 * day;

/** When time changes a transaction next that comes to a status now; `null` where it does not. */
export function dueFrom(now: number, status: TransactionStatus): number | null {
  if (status === 'pending') return now + timeToSettle;
  return status === 'authorized' ? now + timeToCapture : null;
}

/** When a transaction is due. */
export function transactionDueAt({ dueAt }: Transaction): number | undefined {
  return dueAt ?? undefined;
}

/** Does what time does: settles what was taken or given back, and lets go what was only held. */
export function completeTransaction({ objects }: State, transaction: Transaction): void {
  const status = transaction.status === 'authorized' ? 'expired' : 'settled';
  objects.transaction.replace({ ...transaction, status, dueAt: null });
}
