import type { Command } from '../command.ts';
import { controlClient, controlOptions } from '../control-client.ts';
import { json } from '../visible.ts';

/** `clock advance <duration>`: lets time pass. */
export const clock: Command = {
  name: 'clock',
  summary: "Lets time pass in a running sandbox: 'advance' and a duration. What falls due is done.",
  operands: ['advance', '<duration>'],
  required: 2,
  options: controlOptions,
  examples: ["payments-client clock advance '3 days'", "payments-client clock advance '90 min'"],
  notes:
    'A duration is a number with ms, s, min, h, d or w, or milliseconds alone. Prints the time that it then is, as JSON.',
  async run(given, console) {
    if (given.operand(0) !== 'advance') {
      throw given.problem(`expected 'advance', got '${given.operand(0)}'.`);
    }
    const duration = given.operand(1);
    const advance = /^\d+$/.test(duration) ? Number(duration) : duration;
    console.print(json(await controlClient(given).post('clock', { advance })));
  },
};
