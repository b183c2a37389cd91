import type { Command } from 'commander';
import type { Console } from '../console.ts';
import { flag, integerFrom, jsonFlag, option, readAddress, readText, withOptions } from '../options.ts';
import type { ProbeGiven } from '../probe-options.ts';

const urlHelp = 'Where the service is. Default: PAYMENTS_BASE_URL.';
const secretKeyHelp = 'The secret key, best a test key. Default: PAYMENTS_SECRET_KEY.';
const securityKeyHelp = 'The key of the form endpoint, for --form. Default: PAYMENTS_SECURITY_KEY.';
const webhookSecretHelp = 'The signing secret, for --webhook. Default: PAYMENTS_WEBHOOK_SECRET.';
const createHelp = 'Also creates, repeats and deletes one customer. Needs a test key.';
const formHelp = 'Also sends the form endpoint a form without a card, a token and an amount.';
const webhookHelp =
  'Also says how a delivery is signed: one in a file, or, without a file, the first that comes.';
const portHelp = 'The port on this machine for --webhook without a file. Default: a free one.';
const outHelp = 'Where to write what was found. Default: payments.interface.json.';
const dryRunHelp = 'Lists every request that may be sent, and sends none.';

const more = `
Only reads, unless told otherwise. With a test key it also asks whether paths exist, by requests that
the service must refuse: an idempotency key that is too long, half a JSON object, an id that no object
has. It stops when the service answers 401 or 429.

Examples:
  payments-client probe --dry-run
  payments-client probe --base-url https://payments.example.com --create --form
  payments-client probe --webhook delivery.txt`;

/** `probe`: asks a service which of the known forms it uses. */
export function addProbe(program: Command, console: Console): void {
  const command = program
    .command('probe')
    .description('Asks a real service which forms it uses, and writes them down for the client.')
    .addHelpText('after', more);
  withOptions(
    command,
    option('--base-url <address>', urlHelp, readAddress),
    option('--secret-key <key>', secretKeyHelp, readText),
    flag('--create', createHelp),
    flag('--form', formHelp),
    option('--security-key <key>', securityKeyHelp, readText),
    option('--webhook [file]', webhookHelp, readText),
    option('--webhook-port <port>', portHelp, integerFrom(0, 65_535)),
    option('--webhook-secret <secret>', webhookSecretHelp, readText),
    option('--out <file>', outHelp, readText),
    flag('--dry-run', dryRunHelp),
    option('--max-requests <count>', 'The most requests that are sent. Default: 500.', integerFrom(1)),
    option(
      '--pace <ms>',
      'The least time between two requests, in ms. Default: 100.',
      integerFrom(0, 60_000),
    ),
    jsonFlag,
  ).action(async (given: ProbeGiven) => {
    // Loads the client only to run it, so that the other commands answer at once.
    const { runProbe } = await import('../probe.ts');
    await runProbe(given, console);
  });
}
