import type { Command } from 'commander';
import type { ListedFaults, WaitingFault } from '../../control/endpoint-summary.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { describe } from '../help.ts';
import { withOptions } from '../options.ts';
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
    summary: 'Shows the pending faults of requests, then those of deliveries.',
    json: '{ id, fault, hits } for a fault of requests, and { id, fault, left } for one of deliveries',
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

/** `faults`: lists the pending faults of a sandbox. The commands that change them join it. */
export function addFaults(program: Command, console: Console): void {
  const faults = describe(program.command('faults').helpCommand(false), {
    summary: 'Lists, adds and clears the faults of a running sandbox.',
    examples: ['faults', 'faults inject drop_reply --operation refunds.create', 'faults clear'],
  });
  addList(faults, console);
}
