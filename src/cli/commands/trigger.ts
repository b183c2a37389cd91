import type { Command } from 'commander';
import type { SandboxEvent } from '../../sandbox/index.ts';
import { eventTypes } from '../../sandbox/scenarios/trigger/event-types.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { type FieldValue, setOption, toFields } from '../field-values.ts';
import { describe } from '../help.ts';
import { eventActivity, logLine } from '../live-log.ts';
import { choiceOperand, withOptions } from '../options.ts';

interface Given extends ControlOptions {
  readonly set?: readonly FieldValue[];
}

const setHelp =
  'Sets a field of the object. The value is JSON, or text if it is not JSON; dots separate nested fields.';

/** `trigger <type>`: triggers an event. */
export function addTrigger(program: Command, console: Console): void {
  const trigger = describe(program.command('trigger'), {
    summary: 'Triggers an event in a running sandbox: makes the state change that emits it.',
    more: 'With --set id=… it changes an existing object; otherwise it creates one. --json prints the event.',
    examples: [
      'trigger checkout.session.completed',
      'trigger refund.failed --set amount=500 --set reason=damaged',
    ],
  }).addArgument(choiceOperand('type', 'an event type', eventTypes));
  withOptions(trigger, setOption(setHelp), ...controlOptions)
    .addHelpText('after', `\nTypes:\n${eventTypes.map((type) => `  ${type}`).join('\n')}`)
    .action(async (type: string, given: Given) => {
      const body = { type, overrides: toFields(given.set) };
      // Not validated: the control API is in the same package, and its tests check the form.
      const event = (await controlClient(given).post('trigger', body)) as SandboxEvent;
      console.print(event, logLine(eventActivity(event), console));
    });
}
