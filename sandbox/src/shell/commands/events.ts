import type { Command } from 'commander';
import type { SandboxEvent } from '../../index.ts';
import { eventTypeChoices } from '../../scenarios/trigger/event-types.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { follow } from '../follow.ts';
import { describe } from '../help.ts';
import { LogText } from '../live-log.ts';
import { choiceOption, flag, limitOption, withOptions } from '../options.ts';

interface Given extends ControlOptions {
  readonly follow?: boolean;
  readonly type?: string;
  readonly limit?: number;
}

async function list(given: Given, query: URLSearchParams, console: Console): Promise<void> {
  if (given.limit !== undefined) query.set('limit', String(given.limit));
  const body = await controlClient(given).get(`events?${query}`);
  // Not validated: the control API is in the same package, and its tests check the form.
  const { data } = body as { readonly data: readonly SandboxEvent[] };
  const log = new LogText(console, { hasOrders: false });
  for (const event of data) {
    const shown = { kind: 'event', at: Date.parse(event.created), event } as const;
    console.print(shown, log.textOf({ ...shown, number: 0, cause: null, order: null }));
  }
  if (data.length === 0) console.tell('There are no such events.');
}

const followHelp = 'Shows requests, actions, events and deliveries as they happen, until the sandbox stops.';
const typeHelp = "Shows only this type, and with --follow its deliveries. 'help trigger' lists the types.";

/** `events`: lists recent events, or follows new ones. */
export function addEvents(program: Command, console: Console): void {
  const events = describe(program.command('events'), {
    summary: 'Shows the newest events of a running sandbox, or follows all its activity.',
    json: 'activities',
    examples: ['events --follow', 'events --type refund.failed --json'],
  });
  withOptions(
    events,
    flag('--follow', followHelp),
    choiceOption('--type <type>', typeHelp, eventTypeChoices),
    limitOption('events, without --follow'),
    ...controlOptions,
  ).action((given: Given) => {
    const query = new URLSearchParams(given.type === undefined ? {} : { type: given.type });
    return given.follow ? follow(given, query, () => true, console) : list(given, query, console);
  });
}
