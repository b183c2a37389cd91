/** Returns the settled charges minus refunds by batch. */
function settledBy(changes: readonly Change[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const change of changes) {
    if (change.kind !== 'charge' && change.kind !== 'refund') continue;
    const { after, before } = change;
    if (after === undefined || after.settled_at === null || before?.settled_at !== null) continue;
    const batch = after.settlement_batch_id ?? '';
    sums.set(batch, (sums.get(batch) ?? 0) + (change.kind === 'charge' ? after.amount : -after.amount));
  }
  return sums;
}

/** Returns the issues of closed batches: the net amount of each must equal the sum of what it settles. */
import type { Change } from '../state.ts';
export function* checkBatches(changes: readonly Change[]): Generator<string> {
  let sums: Map<string, number> | undefined;
  for (const change of changes) {
    if (change.kind !== 'terminal_batch' || change.before?.status !== 'open') continue;
    if (change.after?.status !== 'closed') continue;
    sums ??= settledBy(changes);
    const { id, totals } = change.after;
    const settled = sums.get(id);
    // A batch that a test closed settles nothing.
    if (settled !== undefined && settled !== totals.sales - totals.refunds) {
      yield `the batch '${id}' nets ${totals.sales - totals.refunds}, and settles ${settled}.`;
    }
  }
}
