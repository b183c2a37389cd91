import type { Id } from 'payments-client';
import {
  outcomes,
  type Reconciliation,
  reconcile,
  type SettleOptions,
  settle,
} from '../domain/settlement.ts';
import type { State } from '../domain/state.ts';
import { type Argument, choice, optional, text, texts } from './argument.ts';
import { Command } from './command.ts';

/** Says what settles the transactions of the form endpoint, which no batch has. */
function pendingTransactions({ objects }: State): readonly string[] {
  const count = objects.transaction.all().filter(({ status }) => status === 'pending').length;
  if (count === 0) return [];
  const them = count === 1 ? '1 transaction' : `${count} transactions`;
  return [
    `The clock settles ${them} of the form endpoint, without a batch, after a day: clock advance '1 day'`,
  ];
}

export const settleCommand = new Command({
  name: 'settle',
  summary:
    'Closes a terminal batch for each currency, with all charges and refunds that succeeded since the last one.',
  examples: ['settle', 'settle --currency usd'],
  args: {
    currency: optional(text('Settles this currency only. Default: all.', 'a string')),
    // Nothing depends on the form of the ids.
    terminal_ids: optional(
      texts(
        'The card readers in the batch. Default: one new id.',
        'an array of ids of terminals',
      ) as Argument<readonly Id<'terminal'>[]>,
    ),
  },
  run: ({ state }, options: SettleOptions) => state.unit(() => settle(state, options)),
  tell: (batches) =>
    batches.length === 0
      ? 'No charge or refund is unsettled.'
      : `Closed ${batches.map(({ id }) => id).join(', ')}.`,
  list: (_, { state }) => pendingTransactions(state),
});

export const reconcileCommand = new Command({
  name: 'reconcile',
  summary: 'Records the result of reconciling a closed batch with the bank.',
  examples: ['reconcile tmb_0123456789abcdef reconciled'],
  args: {
    batch: text('The id of the batch.'),
    outcome: choice('The result.', { what: `one of ${outcomes.join(', ')}`, words: outcomes }),
  },
  run: ({ state }, { batch, outcome }: { readonly batch: string; readonly outcome: Reconciliation }) =>
    state.unit(() => reconcile(state, batch, outcome)),
  tell: ({ id, reconciliation_status }) => `The batch ${id} is ${reconciliation_status}.`,
});
