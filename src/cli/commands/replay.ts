import type { Command } from 'commander';
import type { SandboxDelivery } from '../../sandbox/index.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { describe } from '../help.ts';
import { withOptions } from '../options.ts';
import { visible } from '../visible.ts';

/** `replay <event>`: delivers an event again. */
export function addReplay(program: Command, console: Console): void {
  const replay = describe(program.command('replay <event>'), {
    summary: 'Delivers an event of a running sandbox again, to every endpoint that subscribes to it.',
    more: 'Takes the id of an event or of a single delivery.',
    examples: ['replay evt_0123456789abcdef'],
  });
  withOptions(replay, ...controlOptions).action(async (event: string, given: ControlOptions) => {
    // Not validated: the control API is in the same package, and its tests check the form.
    const body = (await controlClient(given).post('replay', { id: event })) as {
      readonly data: readonly SandboxDelivery[];
    };
    for (const delivery of body.data)
      console.print(delivery, visible(`Delivers ${delivery.type} to ${delivery.url} again.`));
    if (body.data.length === 0) console.tell('No endpoint subscribes to this event.');
  });
}
