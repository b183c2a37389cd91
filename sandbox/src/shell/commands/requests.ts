import type { Command } from 'commander';
import type { LogEntry } from '../../stories/log-entry.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { follow } from '../follow.ts';
import { describe } from '../help.ts';
import { LogText } from '../live-log.ts';
import { flag, limitOption, withOptions } from '../options.ts';

interface Given extends ControlOptions {
  readonly follow?: boolean;
  readonly limit?: number;
}

async function list({ limit = 20, ...given }: Given, console: Console): Promise<void> {
  const body = await controlClient(given).get(`requests?limit=${limit}`);
  // Not validated: the control API is in the same package, and its tests check the form.
  const { data } = body as { readonly data: readonly LogEntry[] };
  const log = new LogText(console, { hasOrders: true });
  log.widen(data);
  log.widen(data);
  for (const request of data) console.print(request, log.textOf(request));
  if (data.length === 0) console.tell('There are no requests yet.');
}

/** `requests`: lists recent requests to a sandbox, or follows new ones. */
export function addRequests(program: Command, console: Console): void {
  const requests = describe(program.command('requests'), {
    summary: 'Shows the newest requests to a running sandbox, or follows them.',
    more: 'Shows the order, what the request does, its amount and what came of it; never a body.',
    json: 'requests',
    examples: ['requests --limit 50', 'requests --follow'],
  });
  withOptions(
    requests,
    flag('--follow', 'Shows requests as they happen, until the sandbox stops.'),
    limitOption('requests, without --follow'),
    ...controlOptions,
  ).action((given: Given) => {
    const isRequest = ({ kind }: { readonly kind: string }) => kind === 'request';
    return given.follow ? follow(given, new URLSearchParams(), isRequest, console) : list(given, console);
  });
}
