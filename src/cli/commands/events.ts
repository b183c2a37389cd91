import type { Command } from 'commander';
import type { SandboxEvent } from '../../sandbox/index.ts';
import { eventTypes } from '../../sandbox/scenarios/trigger/event-types.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { follow } from '../follow.ts';
import { describe } from '../help.ts';
import { eventActivity, printActivity } from '../live-log.ts';
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
  for (const event of data) printActivity(eventActivity(event), console);
  if (data.length === 0) console.tell('There are no such events.');
}

const followHelp =
  'Shows requests, events and deliveries as they happen, until Ctrl+C or until the sandbox stops.';
const typeHelp =
  "Shows only events of this type, and with --follow their deliveries. 'help trigger' lists the types.";

/** `events`: lists recent events, or follows new ones. */
export function addEvents(program: Command, console: Console): void {
  const events = describe(program.command('events'), {
    summary: 'Shows the newest events of a running sandbox, or follows all its activity.',
    examples: ['events --follow', 'events --type refund.failed --json'],
  });
  withOptions(
    events,
    flag('--follow', followHelp),
    choiceOption('--type <type>', typeHelp, 'an event type', eventTypes),
    limitOption('events'),
    ...controlOptions,
  ).action((given: Given) => {
    const query = new URLSearchParams(given.type === undefined ? {} : { type: given.type });
    return given.follow ? follow(given, query, () => true, console) : list(given, query, console);
  });
}
