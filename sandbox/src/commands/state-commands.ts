import { objectNotFound } from '../domain/problem.ts';
import { seed, seedInSteps } from '../scenarios/seed/seed.ts';
import type { SeedOptions } from '../scenarios/seed/timeline.ts';
import { fromSnapshot, toSnapshot } from '../store/contents.ts';
import { type Argument, count, optional, optionalOperand, text } from './argument.ts';
import { Command, type Nothing } from './command.ts';

export const snapshotCommand = new Command({
  name: 'snapshot',
  summary: 'Keeps the state under a name, to restore it later.',
  more: 'The sandbox keeps the latest 100 until it stops.',
  examples: ['snapshot', 'snapshot before-refund'],
  // It changes nothing, and two snapshots without a change between them are equal.
  isRecorded: false,
  args: { name: optionalOperand(text('Its name. Default: a new one.')) },
  run: ({ contents, snapshots }, { name }: { readonly name?: string | undefined }) => ({
    name: snapshots.keep(toSnapshot(contents()), name),
  }),
  tell: ({ name }) => `Kept the state as ${name}.`,
});

export const restoreCommand = new Command({
  name: 'restore',
  summary: 'Restores a state that snapshot kept, with its clock and its stories.',
  examples: ['restore before-refund'],
  // It records itself, after it has replaced the recording.
  isRecorded: false,
  args: { name: text('The name of the snapshot.') },
  run: ({ snapshots, load, storyLog }, { name }: { readonly name: string }) => {
    const snapshot = snapshots.find(name);
    if (snapshot === undefined) throw objectNotFound('snapshot', name);
    load(fromSnapshot(snapshot));
    return storyLog.act('restore', { name }, () => ({ name }));
  },
  tell: ({ name }) => `Restored ${name}.`,
});

export const resetCommand = new Command<Nothing, void>({
  name: 'reset',
  summary: 'Returns to the start: no objects, no faults, and only the endpoints of the options.',
  examples: ['reset'],
  args: {},
  run: ({ reset }) => reset(),
  tell: () => 'The sandbox was reset.',
});

const limit = 10_000_000;

export const seedCommand = new Command({
  name: 'seed',
  summary: 'Creates sample data, without events, deliveries and stories.',
  examples: ['seed', 'seed --customers 200 --intents 5000 --months 6 --seed demo'],
  args: {
    customers: optional(count('How many customers. Default: 100.', 0, limit)),
    intents: optional(
      count('How many payment intents, in addition to those of invoices. Default: 1000.', 0, limit),
    ),
    months: optional(count('How many months back the data reaches. Default: 12.', 1, 240)),
    // A number is a seed too, in code.
    seed: optional(
      text('The random seed: the same seed creates the same data. Default: 1.') as Argument<string | number>,
    ),
  },
  run: ({ state }, options: SeedOptions) => seed(state, options),
  steps: ({ state }, options) => seedInSteps(state, options),
  tell: (counts) => {
    const parts = Object.entries(counts).map(([kind, made]) => `${made} ${kind.replaceAll('_', ' ')}`);
    return `Made ${parts.join(', ')}. They have no stories: demo makes orders that have.`;
  },
});
