import { isLoopbackListener, loopbackHosts } from '../api/server/listening.ts';
import { errorCode, messageOf } from '../base/thrown.ts';
import { openSandbox, type SandboxOptions } from '../index.ts';
import { newKeys, type SandboxKeys } from '../keys.ts';
import { readOptions } from '../options.ts';
import { Sandbox } from '../sandbox.ts';
import type { Console, Surroundings } from './console.ts';
import { defaultPort } from './control-client.ts';
import { readInterfaceFile } from './interface-file.ts';
import { keepKeys } from './kept-keys.ts';
import { writeKeyFile } from './key-file.ts';
import { LogText } from './live-log.ts';
import { Failure, UsageProblem } from './problems.ts';
import { type KeyOptions, localKeys, remoteKeys } from './sandbox-keys.ts';
import { visible } from './visible.ts';

/** The options of `sandbox`. */
export interface ServeOptions extends KeyOptions {
  readonly port?: number;
  readonly host?: string;
  readonly allowRemote?: boolean;
  readonly forwardTo?: readonly string[];
  readonly allowRemoteWebhooks?: boolean;
  readonly data?: string;
  readonly interface?: string;
  readonly onlyShownFields?: boolean;
  readonly seed?: string;
}

function checkHost({ host, allowRemote }: ServeOptions): void {
  if (allowRemote || host === undefined || isLoopbackListener(host)) return;
  throw new UsageProblem(
    `expected --host to be one of ${loopbackHosts.join(', ')}, or any with --allow-remote, got '${host}'.`,
  );
}

async function optionsOf(given: ServeOptions): Promise<SandboxOptions> {
  const { allowRemote, forwardTo = [], seed, interface: file } = given;
  const { allowRemoteWebhooks = false, onlyShownFields = false } = given;
  return {
    ...(allowRemote ? remoteKeys(given, forwardTo.length > 0) : localKeys(given)),
    clock: 'running',
    webhooks: forwardTo.map((url) => ({ url })),
    allowRemoteWebhooks,
    onlyShownFields,
    ...(seed !== undefined && { seed }),
    ...(file !== undefined && { interface: await readInterfaceFile(file) }),
  };
}

function reasonOf(error: unknown, port: number): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE')
    return `the port ${port} is in use. Choose another with --port, or 0 for a free port.`;
  if (code === 'EACCES') return `the port ${port} is not allowed. Choose a port from 1024 on with --port.`;
  return `the sandbox cannot listen: ${messageOf(error)}`;
}

/** Returns the keys of earlier starts, or new ones if keys cannot be kept. */
function keptOrNewKeys(folder: string, { tell }: Console): SandboxKeys {
  try {
    return keepKeys(folder);
  } catch (error) {
    tell(visible(`The keys change at the next start, since they cannot be kept: ${messageOf(error)}.`));
    return newKeys();
  }
}

/** Only the signature scheme, which may be that of the interface file, knows the form of its secrets. */
function checkWebhookSecret({ webhookSecret, ...options }: SandboxOptions): void {
  if (webhookSecret === undefined) return;
  const received = readOptions(options).scheme.checkSecret?.(webhookSecret);
  if (received === undefined) return;
  throw new UsageProblem(
    `expected --webhook-secret (PAYMENTS_WEBHOOK_SECRET) to be a signing secret, got ${received}.`,
  );
}

/** @throws Failure when the file cannot be used. */
async function openDataFile(file: string, options: SandboxOptions): Promise<Sandbox> {
  try {
    return await openSandbox(file, options);
  } catch (error) {
    throw new Failure('FILE_NOT_USABLE', `the data file '${file}' cannot be used: ${messageOf(error)}`);
  }
}

async function open(given: ServeOptions, folder: string, console: Console): Promise<Sandbox> {
  const options = await optionsOf(given);
  checkWebhookSecret(options);
  if (given.data !== undefined) return openDataFile(given.data, options);
  const keys = given.allowRemote ? newKeys() : keptOrNewKeys(folder, console);
  return new Sandbox(options, { keys });
}

async function start(given: ServeOptions, folder: string, console: Console): Promise<Sandbox> {
  const { port = defaultPort, host, allowRemote } = given;
  checkHost(given);
  const sandbox = await open(given, folder, console);
  try {
    return await sandbox.listen({ port, host, allowRemote });
  } catch (error) {
    await sandbox.close();
    throw new Failure('PORT_NOT_USABLE', reasonOf(error, port));
  }
}

/**
 * Returns the secret that signs deliveries. An endpoint of a data file still has the one that it got first, and a rotation gives it
 * another one.
 */
function signingSecretOf({ webhooks, webhookSecret }: Sandbox, { forwardTo: [target] = [] }: ServeOptions) {
  return webhooks.endpoints().find(({ url }) => url === target)?.secret ?? webhookSecret;
}

/** The first line for programs. */
function readyOf({ url, secretKey, securityKey, publicKey, webhooks }: Sandbox, signingSecret: string) {
  return {
    kind: 'ready',
    url,
    secret_key: secretKey,
    security_key: securityKey,
    public_key: publicKey,
    webhook_secret: signingSecret,
    endpoints: webhooks.endpoints().map(({ id, url, secret }) => ({ id, url, secret })),
  };
}

/** The first lines for people. They contain no key, so that none is in the scrollback or a log. */
function greetingOf(sandbox: Sandbox, { allowRemote }: ServeOptions, { paint }: Console): string {
  const { url, webhooks } = sandbox;
  const row = (name: string, value: string) => `  ${name.padEnd(14)}${paint('cyan', value)}`;
  const targets = webhooks.endpoints().map((endpoint) => endpoint.url);
  const option = Number(new URL(url).port) === defaultPort ? '' : ` --url ${url}`;
  const longest = `npx payments-client pay <session id>${option}`.length;
  const line = (command: string, text: string) =>
    `  ${paint('cyan', `npx payments-client ${command}${option}`.padEnd(longest))}  ${text}`;
  return [
    paint('bold', `The sandbox is at ${url}. It moves no money. Press Ctrl+C to stop it.`),
    ...(allowRemote ? [] : [row('dashboard', `${url}/`)]),
    row('checkout at', sandbox.checkoutPage.replace('{id}', '<session id>')),
    ...(targets.length === 0 ? [] : [row('deliveries to', visible(targets.join(', ')))]),
    'In another shell:',
    line('env', "prints the address and the keys for your app's .env"),
    line('pay <session id>', 'pays as the buyer'),
    line('orders', 'shows whether each order was charged once'),
    '',
  ].join('\n');
}

/** The key file for the other commands while this process runs. */
class PublishedKeys {
  readonly #sandbox: Sandbox;
  readonly #console: Console;
  #signingSecret: string | undefined;
  #remove = (): void => {};

  constructor(sandbox: Sandbox, console: Console) {
    this.#sandbox = sandbox;
    this.#console = console;
  }

  /** Writes the file if the secret is another one. If that fails, the other commands need an option. */
  write(signingSecret: string): void {
    if (signingSecret === this.#signingSecret) return;
    this.#signingSecret = signingSecret;
    try {
      const remove = writeKeyFile(this.#sandbox, signingSecret);
      process.off('exit', this.#remove);
      process.once('exit', remove);
      this.#remove = remove;
    } catch (error) {
      const reason = messageOf(error);
      const text = `Other commands need --secret-key, since the key file cannot be written: ${reason}.`;
      this.#console.tell(visible(text));
    }
  }

  remove(): void {
    process.off('exit', this.#remove);
    this.#remove();
  }
}

/** Runs a sandbox until it is interrupted. */
export async function serve(
  given: ServeOptions,
  console: Console,
  { untilInterrupted, folder }: Surroundings,
): Promise<void> {
  const interrupted = untilInterrupted();
  const running = await start(given, folder, console);
  const signingSecret = signingSecretOf(running, given);
  const keys = new PublishedKeys(running, console);
  keys.write(signingSecret);
  console.print(readyOf(running, signingSecret), greetingOf(running, given, console));
  const log = new LogText(console, { hasOrders: true });
  const stop = running.follow((entry) => {
    console.print(entry, log.textOf(entry));
    keys.write(signingSecretOf(running, given));
  });
  await interrupted;
  stop();
  keys.remove();
  await running.close();
}
