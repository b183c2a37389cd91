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
import { readOtherKey, readSecretKey, readWebhookSecret } from '../sandbox-keys.ts';
import type { ServeOptions } from '../serve.ts';

const hostHelp = '127.0.0.1, ::1 or localhost; any other needs --allow-remote. Default: 127.0.0.1.';
const remoteHelp =
  'Makes the sandbox reachable from other machines, as in docker compose. Needs all keys; disables the dashboard.';
const forwardHelp = 'Delivers all events to this address, such as localhost:3000/webhooks.';
const remoteWebhooksHelp = 'Allows endpoints that are registered over HTTP to be on other machines.';
const dataHelp = 'Stores all data in this file, and the keys beside it. Default: data in memory only.';
const interfaceHelp = 'The paths and formats of your service, in the file that probe writes.';
const onlyShownHelp = 'Drops what the interface does not show from new checkout sessions and form requests.';
const seedHelp = 'The random seed of ids and faults. Default: new ids at each start.';
const secretKeyHelp =
  'The secret key to require. Default: PAYMENTS_SECRET_KEY if it is a test key, otherwise a kept key.';
const securityKeyHelp = 'The key that the form endpoint requires. Default: a kept key.';
const publicKeyHelp = 'The key for browser scripts. Default: a kept key.';
const webhookSecretHelp = 'The secret that signs deliveries to --forward-to. Default: a kept secret.';

const more = [
  'The clock runs in real time: deliveries are retried, sessions expire, invoices are collected.',
  "Its keys are random, and the same at the next start in the current package: 'env' prints them.",
  'With --allow-remote, choose them by options or variables: PAYMENTS_SECRET_KEY, PAYMENTS_SECURITY_KEY,',
  'PAYMENTS_PUBLIC_KEY and, with --forward-to, PAYMENTS_WEBHOOK_SECRET.',
].join(' ');

/** `sandbox`: runs a sandbox until it is interrupted. */
export function addSandbox(program: Command, console: Console, surroundings: Surroundings): void {
  const sandbox = describe(program.command('sandbox'), {
    summary: 'Runs a sandbox on this machine, and shows requests, events and deliveries as they happen.',
    more,
    json: '{ kind: ready, url, secret_key, security_key, public_key, webhook_secret, endpoints }, then activities',
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
    option('--webhook-secret <secret>', webhookSecretHelp, readWebhookSecret),
  ).action(async (given: ServeOptions) => {
    // Loaded lazily, so that the other commands start fast.
    const { serve } = await import('../serve.ts');
    await serve(given, console, surroundings);
  });
}
