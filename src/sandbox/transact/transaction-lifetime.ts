import { day } from '../../base/time.ts';
import type { Transaction, TransactionStatus } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';

/** The time from a charge or refund to its settlement, in milliseconds. */
const timeToSettle = day;
/** The lifetime of an authorization, in milliseconds. */
const timeToCapture = 7 * day;

/** Returns when a transaction that enters a status now changes next by time; `null` if it does not. */
export function dueFrom(now: number, status: TransactionStatus): number | null {
  if (status === 'pending') return now + timeToSettle;
  return status === 'authorized' ? now + timeToCapture : null;
}

/** Returns when a transaction is due. */
export function transactionDueAt({ dueAt }: Transaction): number | undefined {
  return dueAt ?? undefined;
}

/** Runs a due transaction: settles it, or expires an authorization. */
export function completeTransaction({ objects }: State, transaction: Transaction): void {
  const status = transaction.status === 'authorized' ? 'expired' : 'settled';
  objects.transaction.replace({ ...transaction, status, dueAt: null });
}
