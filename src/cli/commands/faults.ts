import type { Command } from 'commander';
import { requestFaultKinds } from '../../sandbox/api/faults/phase.ts';
import type { ListedFaults, WaitingFault } from '../../sandbox/control/pending-faults.ts';
import { deliveryFaultKinds } from '../../sandbox/domain/records/delivery-fault.ts';
import { type Console, wantsJson } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { type FieldValue, setOption, toFields } from '../field-values.ts';
import { jsonFlag, withOptions } from '../options.ts';
import { json, visible } from '../visible.ts';

function line(paint: Console['paint'], id: string, kind: string, rest: string): string {
  return `${paint('dim', id)} ${paint('bold', kind)}${visible(rest)}`;
}

/** For example `fault_1 latency ms=2000, hit 0 times`. */
function requestLine(
  { id, fault: { kind, ...fields }, hits }: WaitingFault,
  paint: Console['paint'],
): string {
  const parts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return line(paint, id, kind, `${parts.join('')}, hit ${hits} time${hits === 1 ? '' : 's'}`);
}

function addList(faults: Command, console: Console): void {
  const list = faults
    .command('list', { isDefault: true })
    .description('Shows the faults that wait, oldest first: those of requests, then those of deliveries.');
  withOptions(list, jsonFlag, ...controlOptions).action(
    async (given: ControlOptions & { readonly json?: boolean }) => {
      // The control API of the same package answers; its form is tested with it.
      const { data, deliveries } = (await controlClient(given).get('faults')) as ListedFaults;
      if (wantsJson(given, console)) {
        for (const waiting of [...data, ...deliveries]) console.print(json(waiting));
        return;
      }
      for (const waiting of data) console.print(requestLine(waiting, console.paint));
      for (const { id, kind, left } of deliveries)
        console.print(line(console.paint, id, kind, `, ${left} left`));
    },
  );
}

const setHelp =
  'Sets a field of the fault, such as operation, route, times, skip, probability, ms or code; of deliveries types, endpoint, times or by.';

function addAdd(faults: Command, console: Console): void {
  const add = faults
    .command('add <kind>')
    .description('Makes the next requests, or deliveries of webhooks, go wrong.')
    .addHelpText(
      'after',
      `
Kinds:
${[...requestFaultKinds, ...deliveryFaultKinds].map((kind) => `  ${kind}`).join('\n')}

Examples:
  payments-client faults add drop_reply --set operation=refunds.create
  payments-client faults add latency --set ms=2000 --set times=5
  payments-client faults add duplicate_delivery --set times=3`,
    );
  withOptions(add, setOption(setHelp), ...controlOptions).action(
    async (kind: string, given: ControlOptions & { readonly set?: readonly FieldValue[] }) => {
      console.print(json(await controlClient(given).post('faults', { ...toFields(given.set), kind })));
    },
  );
}

function addClear(faults: Command, console: Console): void {
  const clear = faults.command('clear').description('Removes all faults, and releases what they hold.');
  withOptions(clear, ...controlOptions).action(async (given: ControlOptions) => {
    console.print(json(await controlClient(given).delete('faults')));
  });
}

/** `faults`: makes requests to a sandbox go wrong. */
export function addFaults(program: Command, console: Console): void {
  const faults = program
    .command('faults')
    .description('Shows, adds and clears what goes wrong on purpose in a running sandbox.')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Examples:
  payments-client faults
  payments-client faults add drop_reply --set operation=refunds.create
  payments-client faults clear`,
    );
  for (const addTo of [addList, addAdd, addClear]) addTo(faults, console);
}
