import type { Command } from 'commander';
import { faultKinds } from '../../sandbox/api/faults/phase.ts';
import type { Fault } from '../../sandbox/index.ts';
import { type Console, wantsJson } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { type FieldValue, setOption, toFields } from '../field-values.ts';
import { jsonFlag, withOptions } from '../options.ts';
import { json, visible } from '../visible.ts';

interface WaitingFault {
  readonly id: string;
  readonly fault: Fault;
  readonly struck: number;
}

/** For example `fault_1 latency ms=2000, struck 0 times`. */
function lineOf({ id, fault: { kind, ...fields }, struck }: WaitingFault, { paint }: Console): string {
  const parts = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const times = `struck ${struck} time${struck === 1 ? '' : 's'}`;
  return `${paint('dim', id)} ${paint('bold', kind)}${visible(parts.join(''))}, ${times}`;
}

function addList(faults: Command, console: Console): void {
  const list = faults
    .command('list', { isDefault: true })
    .description('Shows the faults that wait for requests, oldest first.');
  withOptions(list, jsonFlag, ...controlOptions).action(
    async (given: ControlOptions & { readonly json?: boolean }) => {
      // The control API of the same package answers; its form is tested with it.
      const { data } = (await controlClient(given).get('faults')) as {
        readonly data: readonly WaitingFault[];
      };
      for (const waiting of data) {
        console.print(wantsJson(given, console) ? json(waiting) : lineOf(waiting, console));
      }
    },
  );
}

const setHelp = 'Sets a field of the fault, such as operation, route, times, skip, probability, ms or code.';

function addAdd(faults: Command, console: Console): void {
  const add = faults
    .command('add <kind>')
    .description('Makes the next requests go wrong.')
    .addHelpText(
      'after',
      `
Kinds:
${faultKinds.map((kind) => `  ${kind}`).join('\n')}

Examples:
  payments-client faults add drop_reply --set operation=refunds.create
  payments-client faults add latency --set ms=2000 --set times=5`,
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
