import type { Charge } from '../../../resources/charges.ts';
import type { Refund } from '../../../resources/refunds.ts';
import type { TerminalBatch } from '../../../resources/terminal-batches.ts';
import { defaults } from '../object-defaults.ts';
import type { State } from '../state.ts';

/** Options of a settlement. */
export type SettleOptions = {
  /** Settles this currency only, a 3-letter code in either case. Default: all, in a batch for each currency. */
  readonly currency?: string | undefined;
  /** The card readers in the batch. Default: one new id. */
  readonly terminal_ids?: TerminalBatch['terminal_ids'] | undefined;
};

/** The contents of a batch. */
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
