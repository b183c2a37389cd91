import type { Command } from 'commander';
import { eventTypes } from '../../sandbox/scenarios/trigger/event-types.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { type FieldValue, setOption, toFields } from '../field-values.ts';
import { withOptions } from '../options.ts';
import { json } from '../visible.ts';

interface Given extends ControlOptions {
  readonly set?: readonly FieldValue[];
}

const setHelp = 'Sets a field of the object. The value is JSON, or else text; dots lead into objects.';

/** `trigger <type>`: makes an event happen. */
export function addTrigger(program: Command, console: Console): void {
  const trigger = program
    .command('trigger <type>')
    .description('Triggers an event in a running sandbox by making the state change behind it.')
    .addHelpText(
      'after',
      `
Prints the event as JSON. With --set id=… an existing object changes; otherwise the sandbox makes one.

Types:
${eventTypes.map((type) => `  ${type}`).join('\n')}

Examples:
  payments-client trigger checkout.session.completed
  payments-client trigger refund.failed --set amount=500 --set metadata.order=A7`,
    );
  withOptions(trigger, setOption(setHelp), ...controlOptions).action(async (type: string, given: Given) => {
    const body = { type, overrides: toFields(given.set) };
    console.print(json(await controlClient(given).post('trigger', body), 2));
  });
}
