import type { Command } from 'commander';
import type { Console } from '../console.ts';
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
  'Lets other machines reach the sandbox, as in docker compose. Needs all three keys; the dashboard is off.';
const forwardHelp =
  'Delivers all events to this address, such as localhost:3000/webhooks, signed with a secret that is printed.';
const remoteWebhooksHelp =
  'Endpoints that are registered over HTTP may be on other machines. Those of --forward-to always may.';
const dataHelp = 'Keeps everything in this file, and the keys beside it. Default: nothing is kept.';
const interfaceHelp =
  'Plays the forms of a service that this file names, such as payments.interface.json. Default: those inferred.';
const seedHelp = 'Chooses which requests meet faults that hit by chance. Default: always the same.';
const secretKeyHelp =
  'The secret key to ask for. Default: PAYMENTS_SECRET_KEY if it is a test key, else a new one, which is printed.';
const securityKeyHelp = 'The key that the form endpoint asks for. Default: a new one, which is printed.';
const publicKeyHelp = 'The key for browser scripts. Default: a new one, which is printed.';

const more = [
  'The clock runs with real time: deliveries are repeated, sessions expire, invoices are collected.',
  'With --allow-remote, keys may come from PAYMENTS_SECRET_KEY, PAYMENTS_SECURITY_KEY and PAYMENTS_PUBLIC_KEY.',
  'Make them up: the sandbox prints them.',
].join(' ');

/** `sandbox`: runs a sandbox until it is interrupted. */
export function addSandbox(program: Command, console: Console): void {
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
    option('--port <port>', `The port; 0 takes a free one. Default: ${defaultPort}.`, integerFrom(0, 65_535)),
    option('--host <host>', hostHelp, readText),
    flag('--allow-remote', remoteHelp),
    repeatedOption('--forward-to <address>', forwardHelp, readReceiver),
    flag('--allow-remote-webhooks', remoteWebhooksHelp),
    option('--data <file>', dataHelp, readText),
    option('--interface <file>', interfaceHelp, readText),
    option('--seed <text>', seedHelp, readText),
    option('--secret-key <key>', secretKeyHelp, readSecretKey),
    option('--security-key <key>', securityKeyHelp, readOtherKey),
    option('--public-key <key>', publicKeyHelp, readOtherKey),
  ).action(async (given: ServeOptions) => {
    // Loads all of the sandbox only to run it, so that the other commands answer at once.
    const { serve } = await import('../serve.ts');
    await serve(given, console);
  });
}
