import type { Charge, Refund, TerminalBatch } from 'payments-client';
import { refuseId, refuseValue } from '../base/refuse.ts';
import { defaults } from './object-defaults.ts';
import type { State } from './state.ts';

/** Options of a settlement. */
export type SettleOptions = {
  /** Settles this currency only, a 3-letter code in either case. Default: all, in a batch for each currency. */
  readonly currency?: string | undefined;
  /** The card readers in the batch. Default: one new id. */
  readonly terminal_ids?: TerminalBatch['terminal_ids'] | undefined;
};

interface Contents {
  readonly charges: Charge[];
  readonly refunds: Refund[];
}

function waiting({ objects }: State): Map<string, Contents> {
  const byCurrency = new Map<string, Contents>();
  const contentsOf = (currency: string): Contents => {
    const contents = byCurrency.get(currency) ?? { charges: [], refunds: [] };
    byCurrency.set(currency, contents);
    return contents;
  };
  for (const { id } of objects.unsettled_amount.all()) {
    const charge = objects.charge.get(id);
    if (charge !== undefined) contentsOf(charge.currency).charges.push(charge);
    const refund = objects.refund.get(id);
    if (refund !== undefined) contentsOf(refund.currency).refunds.push(refund);
  }
  return byCurrency;
}

function sumOf(objects: readonly { readonly amount: number }[]): number {
  return objects.reduce((sum, { amount }) => sum + amount, 0);
}

function closeBatch(
  state: State,
  currency: string,
  { charges, refunds }: Contents,
  terminal_ids: TerminalBatch['terminal_ids'] | undefined,
): TerminalBatch {
  const blank = defaults.terminal_batch(state);
  const sales = sumOf(charges);
  const refunded = sumOf(refunds);
  const open = state.objects.terminal_batch.add({
    ...blank,
    status: 'open',
    currency,
    terminal_ids: terminal_ids ?? blank.terminal_ids,
    totals: { ...blank.totals, sales, refunds: refunded, net: sales - refunded },
    transaction_count: charges.length + refunds.length,
  });
  const batch = state.objects.terminal_batch.replace({ ...open, status: 'closed' });
  const settled = { settled_at: batch.closed_at, settlement_batch_id: batch.id, updated_at: batch.closed_at };
  for (const charge of charges) state.objects.charge.replace({ ...charge, ...settled });
  for (const refund of refunds) state.objects.refund.replace({ ...refund, ...settled });
  return batch;
}

/** Closes a batch of all unsettled charges and refunds, for each currency. */
export function settle(state: State, options: SettleOptions = {}): readonly TerminalBatch[] {
  const only = options.currency?.toUpperCase();
  return [...waiting(state)]
    .filter(([currency]) => only === undefined || currency === only)
    .map(([currency, contents]) => closeBatch(state, currency, contents, options.terminal_ids));
}

/** The result of reconciling a batch with the bank. */
export type Reconciliation = 'reconciled' | 'incomplete' | 'needs_attention';

/** The results of reconciling a batch. */
export const outcomes: readonly Reconciliation[] = ['reconciled', 'incomplete', 'needs_attention'];

/** Returns the matched items: all but one while the batch is incomplete. */
function counts({ transaction_count }: TerminalBatch, outcome: Reconciliation) {
  if (outcome === 'needs_attention') return {};
  const unmatched_item_count = outcome === 'incomplete' ? Math.min(1, transaction_count) : 0;
  return { unmatched_item_count, matched_item_count: transaction_count - unmatched_item_count };
}

/**
 * Records an outcome of the reconciliation of a closed batch.
 *
 * @throws ConfigurationError when there is no such batch, it is not closed, or it has this outcome already.
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
  if (!outcomes.includes(outcome)) {
    const expected = `one of ${outcomes.join(', ')}`;
    return refuseValue('sandbox.reconcile.outcome', expected, outcome, 'Pass one of them.');
  }
  // Each outcome can follow on any other, also on `reconciled`. The same one again would emit no event.
  const found = batch.status === 'closed' ? batch.reconciliation_status : batch.status;
  if (batch.status !== 'closed' || found === outcome) {
    return refuse(`the id of a closed batch that is not yet '${outcome}'`, `which is '${found}'`);
  }
  const now = state.clock.seconds();
  return state.objects.terminal_batch.replace({
    ...batch,
    ...counts(batch, outcome),
    reconciliation_status: outcome,
    reconciled_at: outcome === 'reconciled' ? now : null,
    updated_at: now,
  });
}
