import type { Change, ChangeOf } from '../store/unit-of-work.ts';
import { minorUnitsOf } from './follow-up.ts';
import type { Transaction, TransactionStatus } from './transaction.ts';

/** Where a transaction may go on from each status; a new one may have any but those that time or a void gives. */
const moves: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
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
 * What does not add up in the transactions that a unit of work has touched: more captured than authorized, more
 * refunded than captured, a refund that its sale knows nothing of, a status that cannot follow. Empty when all does.
 */
export function checkTransactions(changes: readonly Change[]): string[] {
  const touched = changes.filter((change) => change.kind === 'transaction');
  return [...touched.flatMap(checkOne), ...checkRefunds(touched)];
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
    !moves[before.status].includes(after.status)
  ) {
    problems.push(`${name} went from ${before.status} to ${after.status}.`);
  }
  return problems;
}

/** Whether what sales say is refunded changed by as much as their refunds did. */
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
