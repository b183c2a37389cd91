import { errorCode, messageOf } from '../base/thrown.ts';
import { isLoopbackListener, loopbackHosts } from '../sandbox/api/server/listening.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import type { Console } from './console.ts';
import { defaultPort } from './control-client.ts';
import { openDataFile } from './data-file.ts';
import { readInterfaceFile } from './interface-file.ts';
import { writeKeyFile } from './key-file.ts';
import { printActivity } from './live-log.ts';
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
    ...(allowRemote ? remoteKeys(given) : localKeys(given)),
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

async function start(given: ServeOptions): Promise<Sandbox> {
  const { port = defaultPort, host, allowRemote, data } = given;
  checkHost(given);
  const options = await optionsOf(given);
  const sandbox = data === undefined ? createSandbox(options) : await openDataFile(data, options);
  try {
    return await sandbox.listen({ port, host, allowRemote });
  } catch (error) {
    await sandbox.close();
    throw new Failure('PORT_NOT_USABLE', reasonOf(error, port));
  }
}

/** The first line for programs. */
function readyOf({ url, secretKey, securityKey, publicKey, webhooks }: Sandbox): object {
  const endpoints = webhooks.endpoints().map(({ id, url, secret }) => ({ id, url, secret }));
  const keys = { secret_key: secretKey, security_key: securityKey, public_key: publicKey };
  return { kind: 'ready', url, ...keys, endpoints };
}

/** The environment variables of an app that uses the sandbox. */
function environmentOf(sandbox: Sandbox): readonly string[] {
  const { url, secretKey, securityKey, webhooks } = sandbox;
  const [endpoint] = webhooks.endpoints();
  return [
    `PAYMENTS_BASE_URL=${url}`,
    `PAYMENTS_SECRET_KEY=${secretKey}`,
    `PAYMENTS_SECURITY_KEY=${securityKey}`,
    `CHECKOUT_PAGE=${sandbox.checkoutUrl('')}`,
    ...(endpoint === undefined ? [] : [`WEBHOOK_SECRET=${endpoint.secret}`]),
  ];
}

/** The first lines for people. */
function greetingOf(sandbox: Sandbox, { allowRemote, data }: ServeOptions, { paint }: Console): string {
  const row = (name: string, value: string) => `  ${name.padEnd(14)}${paint('cyan', value)}`;
  return [
    paint('bold', `The sandbox is at ${sandbox.url}. It moves no money. Press Ctrl+C to stop it.`),
    ...(allowRemote ? [] : [row('dashboard', `${sandbox.url}/`)]),
    row('checkout at', `${sandbox.checkoutUrl('')}<session id>`),
    row('secret key', sandbox.secretKey),
    row('security key', sandbox.securityKey),
    row('public key', sandbox.publicKey),
    ...sandbox.webhooks
      .endpoints()
      .flatMap(({ url, secret }) => [row('deliveries to', url), row('signed with', secret)]),
    '',
    `Your app's .env, which node --env-file=.env loads${data === undefined ? '. Each start makes new keys, unless you add --data <file>' : ''}:`,
    '',
    ...environmentOf(sandbox),
    '',
    `In another shell: npx payments-client pay <session id> --url ${sandbox.url}`,
    '',
  ].join('\n');
}

/** Writes the key file for the other commands while this process runs. If that fails, they need an option. */
function publishKeys(sandbox: Sandbox, { tell }: Console): () => void {
  try {
    const remove = writeKeyFile(sandbox);
    process.once('exit', remove);
    return () => {
      process.off('exit', remove);
      remove();
    };
  } catch (error) {
    const reason = messageOf(error);
    tell(visible(`Other commands need --secret-key, since the key file cannot be written: ${reason}.`));
    return () => {};
  }
}

/** Runs a sandbox until it is interrupted. */
export async function serve(
  given: ServeOptions,
  console: Console,
  untilInterrupted: () => Promise<void>,
): Promise<void> {
  const interrupted = untilInterrupted();
  const running = await start(given);
  const removeKeys = publishKeys(running, console);
  console.print(readyOf(running), greetingOf(running, given, console));
  const stop = running.watch((activity) => printActivity(activity, console));
  await interrupted;
  stop();
  removeKeys();
  await running.close();
}
