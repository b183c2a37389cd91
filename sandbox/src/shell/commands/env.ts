import type { Command } from 'commander';
import { environmentVariable } from '../../base/environment.ts';
import { messageOf } from '../../base/thrown.ts';
import { isLoopbackHost, isWebAddress } from '../../base/web-address.ts';
import type { SandboxKeys } from '../../keys.ts';
import { encodeSecret } from '../../webhooks/new-secret.ts';
import type { Console, Surroundings } from '../console.ts';
import { defaultPort } from '../control-client.ts';
import { describe } from '../help.ts';
import { keepKeys } from '../kept-keys.ts';
import { keysOfRunning } from '../key-file.ts';
import { option, type Read, readAddress, withOptions } from '../options.ts';
import { Failure, UsageProblem } from '../problems.ts';
import { environmentSecretKey } from '../sandbox-keys.ts';
import { lineOf, type Variables, variablesOf } from '../variables.ts';

interface Given {
  readonly url?: string;
}

function isOnThisMachine(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

const readLocalAddress: Read<string> = (text, name) => {
  if (isOnThisMachine(readAddress(text, name))) return text;
  throw new UsageProblem(
    `expected ${name} to be an address of this machine, got '${text}'. Run the command where the sandbox runs.`,
  );
};

/** Returns the URL of the sandbox. The address of the real service in the environment is not meant. */
function urlFor({ url }: Given): string {
  const variable = environmentVariable('PAYMENTS_BASE_URL');
  const named = isWebAddress(variable) && isOnThisMachine(variable) ? variable : undefined;
  return new URL(url ?? named ?? `http://127.0.0.1:${defaultPort}`).origin;
}

function keysOfNext(url: string, folder: string): SandboxKeys {
  try {
    return keepKeys(folder);
  } catch (error) {
    const reason = `the next one will have new keys, since they cannot be kept: ${messageOf(error)}`;
    const advice = "Start one with 'payments-client sandbox', or pass its URL with --url.";
    throw new Failure('NO_SANDBOX', `no sandbox runs at ${url}, and ${reason}. ${advice}`);
  }
}

/** Returns the variables of the next sandbox in this folder, with the keys that it will use. */
function variablesOfNext(url: string, folder: string, { tell }: Console): Variables {
  const kept = keysOfNext(url, folder);
  tell(
    `No sandbox runs at ${url}. These are the keys of the next one that you start in this folder without --data.`,
  );
  return variablesOf(url, {
    ...kept,
    secretKey: environmentSecretKey() ?? kept.secretKey,
    webhookSecret: encodeSecret(kept.webhookSecret, 'text'),
  });
}

const urlHelp = `The URL of the sandbox. Default: PAYMENTS_BASE_URL if it is on this machine, otherwise http://127.0.0.1:${defaultPort}.`;

const more = [
  'Without a running sandbox, prints the keys of the next one in the current package. It makes them if there are none.',
  'The lines contain keys: keep the file out of your repository.',
].join(' ');

/** `env`: prints the environment variables of an app that uses the sandbox. */
export function addEnv(program: Command, console: Console, { folder }: Surroundings): void {
  const env = describe(program.command('env'), {
    summary: "Prints the lines for your app's .env: the address and the keys of a sandbox on this machine.",
    more,
    json: '{ PAYMENTS_BASE_URL, … }',
    examples: ['env', 'env > .env'],
  });
  withOptions(env, option('--url <address>', urlHelp, readLocalAddress)).action((given: Given) => {
    const url = urlFor(given);
    const running = keysOfRunning(url);
    const variables =
      running === undefined ? variablesOfNext(url, folder, console) : variablesOf(running.url, running);
    const lines = Object.entries(variables).map(([name, value]) => lineOf(name, value));
    console.print(variables, lines.join('\n'));
  });
}
