import type { Command } from 'commander';
import type { RequestActivity } from '../../sandbox/index.ts';
import type { Console } from '../console.ts';
import { type ControlOptions, controlClient, controlOptions } from '../control-client.ts';
import { follow, printActivity } from '../follow.ts';
import { flag, jsonFlag, limitOption, withOptions } from '../options.ts';

interface Given extends ControlOptions {
  readonly follow?: boolean;
  readonly limit?: number;
  readonly json?: boolean;
}

async function list({ limit = 20, ...given }: Given, console: Console): Promise<void> {
  const body = await controlClient(given).get(`requests?limit=${limit}`);
  // The control API of the same package answers; its form is tested with it.
  const { data } = body as { readonly data: readonly Omit<RequestActivity, 'kind'>[] };
  for (const answered of data) printActivity({ kind: 'request', ...answered }, given, console);
}

/** `requests`: shows the requests that a sandbox has answered, or answers. */
export function addRequests(program: Command, console: Console): void {
  const requests = program
    .command('requests')
    .description('Shows the newest requests to a running sandbox, or follows them.')
    .addHelpText(
      'after',
      `
Shows method, path, status, duration and idempotency key; never a body.

Examples:
  payments-client requests --limit 50
  payments-client requests --follow`,
    );
  withOptions(
    requests,
    flag('--follow', 'Shows requests as they happen, until Ctrl+C or the end of the sandbox.'),
    limitOption('requests'),
    jsonFlag,
    ...controlOptions,
  ).action((given: Given) => {
    const isRequest = ({ kind }: { readonly kind: string }) => kind === 'request';
    return given.follow ? follow(given, new URLSearchParams(), isRequest, console) : list(given, console);
  });
}
