import type { Command } from 'commander';
import type { Console, Surroundings } from '../console.ts';
import { describe } from '../help.ts';
import { flag, integerFrom, option, readAddress, readText, withOptions } from '../options.ts';
import type { ProbeGiven } from '../probe-options.ts';

const keys = [
  'Keys come from the environment, or from the file of --env: PAYMENTS_SECRET_KEY, preferably a test key;',
  'PAYMENTS_SECURITY_KEY for --form and --sale; PAYMENTS_WEBHOOK_SECRET for --webhook.',
].join(' ');
const requests = [
  'Only reads by default. With a test key it also checks whether paths exist, with requests that the service must',
  'reject: an idempotency key that is too long, half a JSON object, or an unknown id.',
  'It stops when the service responds with 429, or with 401 except from the form endpoint.',
  'When you interrupt it, it first deletes what --create made, and voids what --sale sold. It prints what is left.',
].join(' ');

const urlHelp = 'The URL of the service. Default: PAYMENTS_BASE_URL.';
const createHelp =
  'Also creates, repeats and deletes one customer, and opens one checkout session. Needs a test key.';
const formHelp = 'Also sends the form endpoint requests without a card, a token or an amount.';
const saleHelp =
  'Includes --form, and makes and voids up to three sales with a test card. Needs a test key, and the security key of a test account.';
const webhookHelp =
  'Also finds out how deliveries are signed, from a file (- for standard input) or, without a file, from the next delivery.';
const portHelp = 'The local port for --webhook without a file. Default: a free port.';
const outHelp = 'The file to write the result to. Default: payments.interface.json.';
const dryRunHelp = 'Lists the requests that the probe may send, and sends none. Values of limit may differ.';

/** `probe`: finds out which of the known paths and formats a service uses. */
export function addProbe(program: Command, console: Console, { untilInterrupted }: Surroundings): void {
  const command = describe(program.command('probe'), {
    summary:
      'Finds out which paths and formats a real service uses, and writes them to a file for the client.',
    more: `${keys}\n\n${requests}`,
    json: '{ id, title, verdict, detail } for each gap, or { request } with --dry-run',
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
    flag('--sale', saleHelp),
    option('--webhook [file]', webhookHelp, readText),
    option('--webhook-port <port>', portHelp, integerFrom(0, 65_535)),
    option('--out <file>', outHelp, readText),
    flag('--force', 'Replaces the file if it exists.'),
    flag('--dry-run', dryRunHelp),
    option('--max-requests <count>', 'The most requests to send. Default: 500.', integerFrom(1)),
    option(
      '--pace <ms>',
      'The minimum time between two requests, in ms. Default: 100.',
      integerFrom(0, 60_000),
    ),
  ).action(async (given: ProbeGiven) => {
    // Loaded lazily, so that the other commands start fast.
    const { runProbe } = await import('../probe.ts');
    await runProbe(given, console, untilInterrupted);
  });
}
