import type { Command } from '../command.ts';
import { controlClient, controlOptions } from '../control-client.ts';
import { readFields } from '../field-values.ts';
import { json } from '../visible.ts';

/** `trigger <type>`: makes an event happen. */
export const trigger: Command = {
  name: 'trigger',
  summary: 'Makes an event happen in a running sandbox, by the move that it tells of.',
  operands: ['<type>'],
  required: 1,
  options: {
    set: {
      value: '<field=value>',
      multiple: true,
      help: 'A field of the object. The value is JSON, or else a text; dots lead into objects.',
    },
    ...controlOptions,
  },
  examples: [
    'payments-client trigger checkout.session.completed',
    'payments-client trigger refund.failed --set amount=500 --set metadata.order=A7',
  ],
  notes: 'Prints the event as JSON.',
  async run(given, console) {
    const body = { type: given.operand(0), overrides: readFields(given) };
    console.print(json(await controlClient(given).post('trigger', body), 2));
  },
};
