import type { Command } from '../command.ts';
import { controlClient, controlOptions } from '../control-client.ts';
import { json } from '../visible.ts';

/** `replay <event>`: delivers an event again. */
export const replay: Command = {
  name: 'replay',
  summary: 'Delivers an event of a running sandbox again, to every endpoint that subscribes to it.',
  operands: ['<event>'],
  required: 1,
  options: controlOptions,
  examples: ['payments-client replay evt_0123456789abcdef'],
  notes: 'Takes the id of an event, or of one delivery. Prints the new deliveries as JSON.',
  async run(given, console) {
    const body = { id: given.operand(0) };
    console.print(json(await controlClient(given).post('replay', body), 2));
  },
};
