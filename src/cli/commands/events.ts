import type { Command } from 'commander';
import type { SandboxEvent } from '../../sandbox/index.ts';
import { type Console, wantsJson } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { follow } from '../follow.ts';
import { logLine } from '../live-log.ts';
import { flag, jsonFlag, limitOption, option, readText, withOptions } from '../options.ts';
import { json } from '../visible.ts';

interface Given extends ControlOptions {
  readonly follow?: boolean;
  readonly type?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

async function list(given: Given, query: URLSearchParams, console: Console): Promise<void> {
  if (given.limit !== undefined) query.set('limit', String(given.limit));
  const body = await controlClient(given).get(`events?${query}`);
  // The control API of the same package answers; its form is tested with it.
  const { data } = body as { readonly data: readonly SandboxEvent[] };
  for (const event of data) {
    const activity = { kind: 'event', at: Date.parse(event.created), event } as const;
    console.print(wantsJson(given, console) ? json(event) : logLine(activity, console));
  }
}

const followHelp =
  'Shows requests, events and deliveries as they happen, until Ctrl+C or the end of the sandbox.';

/** `events`: shows what has happened, or what happens. */
export function addEvents(program: Command, console: Console): void {
  const events = program
    .command('events')
    .description('Shows the newest events of a running sandbox, or follows all that it does.')
    .addHelpText(
      'after',
      `
Examples:
  payments-client events --follow
  payments-client events --type refund.failed --json`,
    );
  withOptions(
    events,
    flag('--follow', followHelp),
    option('--type <type>', 'Only events of this type, and their deliveries.', readText),
    limitOption('events'),
    jsonFlag,
    ...controlOptions,
  ).action((given: Given) => {
    const query = new URLSearchParams(given.type === undefined ? {} : { type: given.type });
    return given.follow ? follow(given, query, () => true, console) : list(given, query, console);
  });
}
