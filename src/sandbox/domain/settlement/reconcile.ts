import { refuseValue } from '../../../base/refuse.ts';
import type { TerminalBatch } from '../../../resources/terminal-batches.ts';
import { refuseId } from '../refuse-id.ts';
import type { State } from '../state.ts';
import { mayTransition, type TransitionName } from '../transitions.ts';

/** The result of reconciling a batch with the bank. */
export type Reconciliation = 'reconciled' | 'incomplete' | 'needs_attention';

const transitions: Readonly<Record<Reconciliation, TransitionName>> = {
  reconciled: 'terminal_batch.reconcile',
  incomplete: 'terminal_batch.leave_incomplete',
  needs_attention: 'terminal_batch.need_attention',
};

/** Returns the matched items: all but one while the batch is incomplete. */
function counts({ transaction_count }: TerminalBatch, outcome: Reconciliation) {
  if (outcome === 'needs_attention') return {};
  const unmatched_item_count = outcome === 'incomplete' ? Math.min(1, transaction_count) : 0;
  return { unmatched_item_count, matched_item_count: transaction_count - unmatched_item_count };
}

/**
 * Completes or continues the reconciliation of a closed batch.
 *
 * @throws ConfigurationError when there is no such batch, it is not closed, or its state does not allow it.
 */
export function reconcile(state: State, id: string, outcome: Reconciliation): TerminalBatch {
  const batch = state.objects.terminal_batch.get(id);
  const refuse = (expected: string, problem?: string) =>
    refuseId(
      'sandbox.reconcile.batch',
      expected,
      id,
      problem,
      'Pass the id of a batch that settle() returned.',
    );
  if (batch === undefined) return refuse('the id of a closed terminal batch');
  if (!Object.hasOwn(transitions, outcome)) {
    const expected = Object.keys(transitions).join(', ');
    return refuseValue('sandbox.reconcile.outcome', `one of ${expected}`, outcome, 'Pass one of them.');
  }
  if (batch.status !== 'closed' || !mayTransition(batch, transitions[outcome])) {
    const found = batch.status === 'closed' ? batch.reconciliation_status : batch.status;
    return refuse(`the id of a batch that can become '${outcome}'`, `which is '${found}'`);
  }
  const now = state.clock.seconds();
  return state.objects.terminal_batch.replace({
    ...batch,
    ...counts(batch, outcome),
    reconciliation_status: outcome,
    reconciled_at: outcome === 'reconciled' ? now : batch.reconciled_at,
    updated_at: now,
  });
}
