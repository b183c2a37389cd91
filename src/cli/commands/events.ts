import type { Activity, SandboxEvent } from '../../sandbox/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import type { Console } from '../console.ts';
import { controlClient, controlOptions } from '../control-client.ts';
import { dataOf } from '../lines.ts';
import { logLine } from '../live-log.ts';
import { json } from '../visible.ts';

function queryOf(given: Arguments): URLSearchParams {
  const query = new URLSearchParams();
  const type = given.text('type');
  if (type !== undefined) query.set('type', type);
  const limit = given.integer('limit', 1);
  if (limit !== undefined) query.set('limit', String(limit));
  return query;
}

/** Whether lines of JSON are wanted: asked for, or nobody reads along. */
function wantsJson(given: Arguments, console: Console): boolean {
  return given.has('json') || !console.readable;
}

async function list(given: Arguments, console: Console): Promise<void> {
  const body = await controlClient(given).get(`events?${queryOf(given)}`);
  // The control API of the same package answers; its form is tested with it.
  const { data } = body as { readonly data: readonly SandboxEvent[] };
  for (const event of data) {
    const activity = { kind: 'event', at: Date.parse(event.created), event } as const;
    console.print(wantsJson(given, console) ? json(event) : logLine(activity, console));
  }
}

async function follow(given: Arguments, console: Console): Promise<void> {
  const query = queryOf(given);
  query.set('follow', '');
  const response = await controlClient(given).open(`events?${query}`, { accept: 'text/event-stream' });
  console.tell('Following. Press Ctrl+C to end.');
  for await (const data of dataOf(response)) {
    const activity = data as Activity;
    console.print(wantsJson(given, console) ? json(activity) : logLine(activity, console));
  }
}

/** `events`: shows what has happened, or what happens. */
export const events: Command = {
  name: 'events',
  summary: 'Shows the newest events of a running sandbox, or follows all that it does.',
  operands: [],
  required: 0,
  options: {
    follow: {
      help: 'Shows requests, events and deliveries as they happen, until Ctrl+C or the end of the sandbox.',
    },
    type: { value: '<type>', help: 'Only events of this type, and their deliveries.' },
    limit: { value: '<count>', help: 'How many of the newest events, without --follow. Default: 20.' },
    json: { help: 'Lines of JSON, also on a terminal. Without a terminal they always are.' },
    ...controlOptions,
  },
  examples: ['payments-client events --follow', 'payments-client events --type refund.failed --json'],
  async run(given, console) {
    try {
      await (given.has('follow') ? follow(given, console) : list(given, console));
    } catch (error) {
      // The sandbox ended, which ends the stream in the middle.
      if (!(error instanceof TypeError && given.has('follow'))) throw error;
    }
  },
};
