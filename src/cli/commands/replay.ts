import type { Command } from 'commander';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { withOptions } from '../options.ts';
import { json } from '../visible.ts';

/** `replay <event>`: delivers an event again. */
export function addReplay(program: Command, console: Console): void {
  const replay = program
    .command('replay <event>')
    .description('Delivers an event of a running sandbox again, to every endpoint that subscribes to it.')
    .addHelpText(
      'after',
      `
Takes the id of an event, or of one delivery. Prints the new deliveries as JSON.

Examples:
  payments-client replay evt_0123456789abcdef`,
    );
  withOptions(replay, ...controlOptions).action(async (event: string, given: ControlOptions) => {
    console.print(json(await controlClient(given).post('replay', { id: event }), 2));
  });
}
