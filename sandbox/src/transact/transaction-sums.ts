import { minorUnitsOf } from '../domain/amounts.ts';
import { LedgerError } from '../domain/ledger-error.ts';
import type { Transaction, TransactionStatus } from '../domain/records/transaction.ts';
import type { Change, ChangeOf, State } from '../domain/state.ts';
import { timings } from '../domain/timings.ts';

/** Returns when a transaction that enters a status now changes next by time; `null` if it does not. */
export function dueFrom(now: number, status: TransactionStatus): number | null {
  if (status === 'pending') return now + timings.transactionSettles;
  return status === 'authorized' ? now + timings.authorizationExpires : null;
}

export function transactionDueAt({ dueAt }: Transaction): number | undefined {
  return dueAt ?? undefined;
}

/** Runs a due transaction: settles it, or expires an authorization. */
export function completeTransaction({ objects }: State, transaction: Transaction): void {
  const status = transaction.status === 'authorized' ? 'expired' : 'settled';
  objects.transaction.replace({ ...transaction, status, dueAt: null });
}

/**
 * The allowed transitions from each status. A new transaction may have any status that neither time nor a void
 * causes.
 */
const nextStatuses: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  authorized: ['pending', 'voided', 'expired'],
  pending: ['settled', 'voided'],
  settled: [],
  voided: [],
  expired: [],
  validated: [],
  declined: [],
  failed: [],
};

/**
 * Checks the transactions that a unit of work has touched.
 *
 * @throws LedgerError when more is captured than authorized, more is refunded than captured, a refund's sale does not
 * count it, or a transition is not allowed.
 */
export function checkTransactions(changes: readonly Change[]): void {
  const touched = changes.filter((change) => change.kind === 'transaction');
  for (const problem of [...touched.flatMap(checkOne), ...checkRefunds(touched)])
    throw new LedgerError(problem);
}

function checkOne({ before, after }: ChangeOf<'transaction'>): string[] {
  if (after === undefined) return [];
  const captured = minorUnitsOf(after.captured);
  const problems: string[] = [];
  const name = `the transaction '${after.id}'`;
  if (captured > minorUnitsOf(after.amount))
    problems.push(`of ${name} over ${after.amount}, ${after.captured} is captured.`);
  if (minorUnitsOf(after.refunded) > captured)
    problems.push(`of ${name}, ${after.captured} is captured and ${after.refunded} refunded.`);
  if (!after.approved && captured > 0)
    problems.push(`${name} is not approved and ${after.captured} is captured.`);
  if (
    before !== undefined &&
    before.status !== after.status &&
    !nextStatuses[before.status].includes(after.status)
  ) {
    problems.push(`${name} went from ${before.status} to ${after.status}.`);
  }
  return problems;
}

/** Checks that sales changed their refunded amounts by the amounts of their refunds. */
function checkRefunds(touched: readonly ChangeOf<'transaction'>[]): string[] {
  const differences = new Map<string, number>();
  const add = (id: string, amount: number) => differences.set(id, (differences.get(id) ?? 0) + amount);
  for (const { id, before, after } of touched) {
    add(id, refundedBy(after) - refundedBy(before));
    const sale = (after ?? before)?.refundOf;
    if (typeof sale === 'string') add(sale, givenBackBy(before) - givenBackBy(after));
  }
  return [...differences]
    .filter(([, difference]) => difference !== 0)
    .map(([id]) => `what the transaction '${id}' says is refunded is not the sum of its refunds.`);
}

function refundedBy(sale: Transaction | undefined): number {
  return sale === undefined ? 0 : minorUnitsOf(sale.refunded);
}

function givenBackBy(refund: Transaction | undefined): number {
  return refund === undefined || refund.status === 'voided' ? 0 : minorUnitsOf(refund.amount);
}
