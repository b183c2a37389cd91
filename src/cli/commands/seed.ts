import type { Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { controlClient, controlOptions } from '../control-client.ts';
import { linesOf } from '../lines.ts';
import { Failure } from '../problems.ts';
import { Progress } from '../progress.ts';

function bodyOf(given: Arguments): object {
  return {
    customers: given.integer('customers', 0),
    intents: given.integer('intents', 0),
    months: given.integer('months', 1),
    seed: given.text('seed'),
  };
}

/** `seed`: makes sample data. */
export const seed: Command = {
  name: 'seed',
  summary: 'Puts sample data into a running sandbox: the same for the same seed.',
  operands: [],
  required: 0,
  options: {
    customers: { value: '<count>', help: 'How many customers. Default: 100.' },
    intents: {
      value: '<count>',
      help: 'How many payment intents, besides those of invoices. Default: 1000.',
    },
    months: { value: '<count>', help: 'Over how many months before the present. Default: 12.' },
    seed: { value: '<text>', help: 'Chooses the data. Default: 1.' },
    ...controlOptions,
  },
  examples: [
    'payments-client seed',
    'payments-client seed --customers 200 --intents 5000 --months 6 --seed demo',
  ],
  notes: 'There are no events and no deliveries of sample data. Prints how many objects were made, as JSON.',
  async run(given, console) {
    const response = await controlClient(given).open('seed', {
      accept: 'application/x-ndjson',
      body: bodyOf(given),
    });
    const progress = new Progress(console);
    try {
      for await (const line of linesOf(response)) {
        // The control API of the same package answers; its form is tested with it.
        const step = JSON.parse(line) as { counts?: object; done?: number; total?: number };
        progress.show(step.done ?? 0, step.total ?? 0);
        if (step.counts === undefined) continue;
        progress.end();
        return console.print(JSON.stringify(step.counts));
      }
    } catch (error) {
      progress.end();
      throw new Failure(`the sandbox ended before all was made: ${String(error)}`);
    }
    throw new Failure('the sandbox ended before all was made.');
  },
};
