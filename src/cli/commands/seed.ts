import type { Command } from 'commander';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { describe } from '../help.ts';
import { linesOf } from '../lines.ts';
import { integerFrom, option, readText, withOptions } from '../options.ts';
import { Failure } from '../problems.ts';
import { Progress } from '../progress.ts';
import { visible } from '../visible.ts';

interface Given extends ControlOptions {
  readonly customers?: number;
  readonly intents?: number;
  readonly months?: number;
  readonly seed?: string;
}

/** Example: `Made 100 customers, 1200 payment intents, 1150 charges.` */
function textOf(counts: object): string {
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`);
  return visible(`Made ${parts.join(', ')}.`);
}

async function makeData({ customers, intents, months, seed, ...control }: Given, console: Console) {
  const response = await controlClient(control).open('seed', {
    accept: 'application/x-ndjson',
    body: { customers, intents, months, seed },
  });
  const progress = new Progress(console);
  try {
    for await (const line of linesOf(response)) {
      // Not validated: the control API is in the same package, and its tests check the form.
      const step = JSON.parse(line) as { counts?: object; done?: number; total?: number };
      progress.show(step.done ?? 0, step.total ?? 0);
      if (step.counts === undefined) continue;
      progress.end();
      return console.print(step.counts, textOf(step.counts));
    }
  } catch (error) {
    progress.end();
    throw new Failure('NO_SANDBOX', `the sandbox stopped before the data was complete: ${String(error)}`);
  }
  throw new Failure('NO_SANDBOX', 'the sandbox stopped before the data was complete.');
}

/** `seed`: creates sample data. */
export function addSeed(program: Command, console: Console): void {
  const seed = describe(program.command('seed'), {
    summary: 'Creates sample data in a running sandbox. The same seed creates the same data.',
    more: 'Sample data causes no events and no deliveries.',
    examples: ['seed', 'seed --customers 200 --intents 5000 --months 6 --seed demo'],
  });
  withOptions(
    seed,
    option('--customers <count>', 'How many customers. Default: 100.', integerFrom(0)),
    option(
      '--intents <count>',
      'How many payment intents, in addition to those of invoices. Default: 1000.',
      integerFrom(0),
    ),
    option('--months <count>', 'How many months back the data reaches. Default: 12.', integerFrom(1)),
    option('--seed <text>', 'The random seed: the same seed creates the same data. Default: 1.', readText),
    ...controlOptions,
  ).action((given: Given) => makeData(given, console));
}
