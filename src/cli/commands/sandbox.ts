import type { Command } from 'commander';
import type { Console, Surroundings } from '../console.ts';
import { defaultPort } from '../control-client.ts';
import { describe } from '../help.ts';
import {
  flag,
  integerFrom,
  option,
  readReceiver,
  readText,
  repeatedOption,
  withOptions,
} from '../options.ts';
import { readOtherKey, readSecretKey } from '../sandbox-keys.ts';
import type { ServeOptions } from '../serve.ts';

const hostHelp =
  'The loopback host: 127.0.0.1, ::1 or localhost; any other needs --allow-remote. Default: 127.0.0.1.';
const remoteHelp =
  'Makes the sandbox reachable from other machines, as in docker compose. Requires all three keys; disables the dashboard.';
const forwardHelp =
  'Delivers all events to this address, such as localhost:3000/webhooks, and prints the signing secret.';
const remoteWebhooksHelp =
  'Allows endpoints registered over HTTP to be on other machines. --forward-to always allows it.';
const dataHelp = 'Stores all data in this file, and the keys beside it. Default: in memory only.';
const interfaceHelp =
  'Reads the paths and formats of your service from this file, which probe writes. Default: the inferred ones.';
const onlyShownHelp =
  'Drops what the interface does not show from new checkout sessions and form requests, as the service may do.';
const seedHelp =
  'The random seed: the same seed creates the same ids and the same random faults. Default: new ids at each start.';
const secretKeyHelp =
  'The secret key to require. Default: PAYMENTS_SECRET_KEY if it is a test key, otherwise a new key, which is printed.';
const securityKeyHelp = 'The key that the form endpoint requires. Default: a new key, which is printed.';
const publicKeyHelp = 'The key for browser scripts. Default: a new key, which is printed.';

const more = [
  'The clock runs in real time: deliveries are retried, sessions expire, invoices are collected.',
  'With --allow-remote, keys may come from PAYMENTS_SECRET_KEY, PAYMENTS_SECURITY_KEY and PAYMENTS_PUBLIC_KEY.',
  'Choose any values: the sandbox prints them.',
].join(' ');

/** `sandbox`: runs a sandbox until it is interrupted. */
export function addSandbox(program: Command, console: Console, { untilInterrupted }: Surroundings): void {
  const sandbox = describe(program.command('sandbox'), {
    summary: 'Runs a sandbox on this machine, and shows requests, events and deliveries as they happen.',
    more,
    examples: [
      'sandbox',
      'sandbox --forward-to localhost:3000/webhooks --data sandbox.data',
      'sandbox --host 0.0.0.0 --allow-remote',
    ],
  });
  withOptions(
    sandbox,
    option(
      '--port <port>',
      `The port; 0 selects a free port. Default: ${defaultPort}.`,
      integerFrom(0, 65_535),
    ),
    option('--host <host>', hostHelp, readText),
    flag('--allow-remote', remoteHelp),
    repeatedOption('--forward-to <address>', forwardHelp, readReceiver),
    flag('--allow-remote-webhooks', remoteWebhooksHelp),
    option('--data <file>', dataHelp, readText),
    option('--interface <file>', interfaceHelp, readText),
    flag('--only-shown-fields', onlyShownHelp),
    option('--seed <text>', seedHelp, readText),
    option('--secret-key <key>', secretKeyHelp, readSecretKey),
    option('--security-key <key>', securityKeyHelp, readOtherKey),
    option('--public-key <key>', publicKeyHelp, readOtherKey),
  ).action(async (given: ServeOptions) => {
    // Loaded lazily, so that the other commands start fast.
    const { serve } = await import('../serve.ts');
    await serve(given, console, untilInterrupted);
  });
}
