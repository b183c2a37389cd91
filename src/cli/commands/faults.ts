import type { Command } from 'commander';
import { requestFaultKinds } from '../../sandbox/api/faults/phase.ts';
import type { ListedFaults, WaitingFault } from '../../sandbox/control/pending-faults.ts';
import { deliveryFaultKinds } from '../../sandbox/domain/records/delivery-fault.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { type FieldValue, setOption, toFields } from '../field-values.ts';
import { describe } from '../help.ts';
import { choiceOperand, withOptions } from '../options.ts';
import { visible } from '../visible.ts';

function line(paint: Console['paint'], id: string, kind: string, rest: string): string {
  return `${paint('dim', id)} ${paint('bold', kind)}${visible(rest)}`;
}

/** Example: `fault_1 latency ms=2000, hit 0 times`. */
function requestLine(
  { id, fault: { kind, ...fields }, hits }: WaitingFault,
  paint: Console['paint'],
): string {
  const parts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return line(paint, id, kind, `${parts.join('')}, hit ${hits} time${hits === 1 ? '' : 's'}`);
}

function addList(faults: Command, console: Console): void {
  const list = describe(faults.command('list', { isDefault: true }), {
    summary: 'Shows the pending faults, oldest first: first those of requests, then those of deliveries.',
    examples: ['faults', 'faults list --json'],
  });
  withOptions(list, ...controlOptions).action(async (given: ControlOptions) => {
    // Not validated: the control API is in the same package, and its tests check the form.
    const { data, deliveries } = (await controlClient(given).get('faults')) as ListedFaults;
    for (const waiting of data) console.print(waiting, requestLine(waiting, console.paint));
    for (const { id, kind, left, ...rest } of deliveries)
      console.print({ id, fault: { kind, ...rest }, left }, line(console.paint, id, kind, `, ${left} left`));
    if (data.length + deliveries.length === 0) console.tell('No faults are pending.');
  });
}

const setHelp =
  'Sets a field of the fault, such as operation, route, times, skip, probability, ms or code. For deliveries: types, endpoint, times or by.';
const kinds = [...requestFaultKinds, ...deliveryFaultKinds];

function addAdd(faults: Command, console: Console): void {
  const add = describe(faults.command('add'), {
    summary: 'Adds a fault to the next requests or webhook deliveries.',
    examples: [
      'faults add drop_reply --set operation=refunds.create',
      'faults add latency --set ms=2000 --set times=5',
      'faults add duplicate_delivery --set times=3',
    ],
  }).addArgument(choiceOperand('kind', 'a kind of fault', kinds));
  withOptions(add, setOption(setHelp), ...controlOptions)
    .addHelpText('after', `\nKinds:\n${kinds.map((kind) => `  ${kind}`).join('\n')}`)
    .action(async (kind: string, given: ControlOptions & { readonly set?: readonly FieldValue[] }) => {
      const added = await controlClient(given).post('faults', { ...toFields(given.set), kind });
      console.print(added, `Added ${kind}.`);
    });
}

function addClear(faults: Command, console: Console): void {
  const clear = describe(faults.command('clear'), {
    summary:
      'Removes all faults, and releases the requests that they pause. Deliveries that they delay keep waiting.',
    examples: ['faults clear'],
  });
  withOptions(clear, ...controlOptions).action(async (given: ControlOptions) => {
    console.print(await controlClient(given).delete('faults'), 'Removed all faults.');
  });
}

/** `faults`: injects faults into the requests and deliveries of a sandbox. */
export function addFaults(program: Command, console: Console): void {
  const faults = describe(program.command('faults').helpCommand(false), {
    summary: 'Lists, adds and clears the faults of a running sandbox.',
    examples: ['faults', 'faults add drop_reply --set operation=refunds.create', 'faults clear'],
  });
  for (const addTo of [addList, addAdd, addClear]) addTo(faults, console);
}
