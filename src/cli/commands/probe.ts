import type { Command } from 'commander';
import type { Console } from '../console.ts';
import { describe } from '../help.ts';
import { flag, integerFrom, option, readAddress, readText, withOptions } from '../options.ts';
import type { ProbeGiven } from '../probe-options.ts';

const keys = [
  'Keys come from the environment, or from a file that --env names: PAYMENTS_SECRET_KEY, best a test key;',
  'PAYMENTS_SECURITY_KEY for --form; PAYMENTS_WEBHOOK_SECRET for --webhook.',
].join(' ');
const requests = [
  'Only reads, unless told otherwise. With a test key it also asks whether paths exist, by requests that the service must',
  'refuse: an idempotency key that is too long, half a JSON object, an id that no object has.',
  'It stops when the service answers 401 or 429.',
].join(' ');

const urlHelp = 'Where the service is. Default: PAYMENTS_BASE_URL.';
const createHelp = 'Also creates, repeats and deletes one customer. Needs a test key.';
const formHelp = 'Also sends the form endpoint a form without a card, a token and an amount.';
const webhookHelp =
  'Also says how a delivery is signed: one in a file (- for the standard input), or, without a file, the first that comes.';
const portHelp = 'The port on this machine for --webhook without a file. Default: a free one.';
const outHelp = 'Where to write what was found. Default: payments.interface.json.';
const dryRunHelp = 'Lists every request that may be sent, and sends none.';

/** `probe`: asks a service which of the known forms it uses. */
export function addProbe(program: Command, console: Console): void {
  const command = describe(program.command('probe'), {
    summary: 'Asks a real service which forms it uses, and writes them down for the client.',
    more: `${keys}\n\n${requests}`,
    examples: [
      'probe --dry-run --env .env',
      'probe --base-url https://payments.example.com --create --form',
      'probe --webhook delivery.txt',
    ],
  });
  withOptions(
    command,
    option('--base-url <address>', urlHelp, readAddress),
    flag('--create', createHelp),
    flag('--form', formHelp),
    option('--webhook [file]', webhookHelp, readText),
    option('--webhook-port <port>', portHelp, integerFrom(0, 65_535)),
    option('--out <file>', outHelp, readText),
    flag('--force', 'Replaces that file if it exists.'),
    flag('--dry-run', dryRunHelp),
    option('--max-requests <count>', 'The most requests that are sent. Default: 500.', integerFrom(1)),
    option(
      '--pace <ms>',
      'The least time between two requests, in ms. Default: 100.',
      integerFrom(0, 60_000),
    ),
  ).action(async (given: ProbeGiven) => {
    // Loads the client only to run it, so that the other commands answer at once.
    const { runProbe } = await import('../probe.ts');
    await runProbe(given, console);
  });
}
