import type { Command } from 'commander';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { withOptions } from '../options.ts';
import { json } from '../visible.ts';

const examples = `
Examples:
  payments-client clock advance '3 days'
  payments-client clock advance '90 min'`;

/** `clock advance <duration>`: lets time pass. */
export function addClock(program: Command, console: Console): void {
  const clock = program
    .command('clock')
    .description('Lets time pass in a running sandbox, and does what falls due.')
    .helpCommand(false)
    .addHelpText('after', examples);
  const advance = clock
    .command('advance <duration>')
    .description("Moves the clock on by a duration, such as '3 days', '2 h', '90 min', '30 s' or '250 ms'.")
    .addHelpText('after', `\nPrints the new time as JSON.\n${examples}`);
  withOptions(advance, ...controlOptions).action(async (duration: string, given: ControlOptions) => {
    console.print(json(await controlClient(given).post('clock', { advance: duration })));
  });
}
