import { errorCode } from '../base/error-code.ts';
import { messageOf } from '../base/message-of.ts';
import { isWithUser } from '../base/web-address.ts';
import { isListenHost, type ListenHost, listenHosts } from '../sandbox/api/server/listening.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import type { Arguments } from './arguments.ts';
import type { Console } from './console.ts';
import { defaultPort } from './control-client.ts';
import { openDataFile } from './data-file.ts';
import { untilInterrupted } from './interrupt.ts';
import { writeKeyFile } from './key-file.ts';
import { logLine } from './live-log.ts';
import { Failure } from './problems.ts';
import { givenKeys } from './sandbox-keys.ts';
import { json, visible } from './visible.ts';

function hostOf(given: Arguments): ListenHost {
  const host = given.text('host') ?? '127.0.0.1';
  if (isListenHost(host)) return host;
  throw given.problem(`expected --host to be one of ${listenHosts.join(', ')}, got '${host}'.`);
}

function receiversOf(given: Arguments): NonNullable<SandboxOptions['webhooks']> {
  return given.addresses('forward-to').map((url) => {
    if (!isWithUser(url)) return { url };
    throw given.problem('expected --forward-to to be an address without a user name and a password.');
  });
}

function optionsOf(given: Arguments): SandboxOptions {
  const seed = given.text('seed');
  return {
    ...givenKeys(given),
    clock: 'running',
    signedAt: 'present',
    webhooks: receiversOf(given),
    allowRemoteWebhooks: given.has('allow-remote-webhooks'),
    ...(seed !== undefined && { seed }),
  };
}

function reasonOf(error: unknown, port: number): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE')
    return `the port ${port} is in use. Choose another with --port, or 0 for a free one.`;
  if (code === 'EACCES') return `the port ${port} may not be used. Choose one from 1024 with --port.`;
  return `it cannot listen: ${messageOf(error)}`;
}

async function start(given: Arguments): Promise<Sandbox> {
  const port = given.integer('port', 0, 65_535) ?? defaultPort;
  const host = hostOf(given);
  const options = optionsOf(given);
  const file = given.text('data');
  const sandbox = file === undefined ? createSandbox(options) : await openDataFile(file, options);
  try {
    return await sandbox.listen({ port, host });
  } catch (error) {
    await sandbox.close();
    throw new Failure(reasonOf(error, port));
  }
}

function announceToPrograms(
  { url, secretKey, securityKey, publicKey, webhooks }: Sandbox,
  { print }: Console,
): void {
  const endpoints = webhooks.endpoints().map(({ id, url, secret }) => ({ id, url, secret }));
  const keys = { secret_key: secretKey, security_key: securityKey, public_key: publicKey };
  print(JSON.stringify({ kind: 'ready', url, ...keys, endpoints }));
}

function announceToPeople(sandbox: Sandbox, { print, paint }: Console): void {
  const row = (name: string, value: string) => print(`  ${name.padEnd(14)}${paint('cyan', value)}`);
  print(paint('bold', `The sandbox is at ${sandbox.url}. It moves no money.`));
  row('on screen', `${sandbox.url}/`);
  row('checkout at', sandbox.checkoutUrl('<session id>'));
  row('secret key', sandbox.secretKey);
  row('security key', sandbox.securityKey);
  row('public key', sandbox.publicKey);
  for (const { url, secret } of sandbox.webhooks.endpoints()) {
    row('deliveries to', url);
    row('signed with', secret);
  }
  print('');
  print('Use it:');
  print(`  PAYMENTS_BASE_URL=${sandbox.url} PAYMENTS_SECRET_KEY=${sandbox.secretKey} node your-app.js`);
  print(`  npx payments-client trigger checkout.session.completed --url ${sandbox.url}`);
  print(`  npx payments-client help`);
  print('');
}

/** Lets the other commands find the keys for as long as this process lives. Where it cannot, they have to be told. */
function publishKeys(sandbox: Sandbox, { tell }: Console): () => void {
  try {
    const remove = writeKeyFile(sandbox);
    process.once('exit', remove);
    return remove;
  } catch (error) {
    const reason = messageOf(error);
    tell(visible(`Other commands need --secret-key, since the key cannot be kept for them: ${reason}.`));
    return () => {};
  }
}

/** Runs a sandbox until the process is told to end. */
export async function serve(given: Arguments, console: Console): Promise<void> {
  const asJson = given.has('json') || !console.readable;
  const interrupted = untilInterrupted();
  const running = await start(given);
  const removeKeys = publishKeys(running, console);
  (asJson ? announceToPrograms : announceToPeople)(running, console);
  const stop = running.watch((activity) =>
    console.print(asJson ? json(activity) : logLine(activity, console)),
  );
  await interrupted;
  stop();
  removeKeys();
  await running.close();
}
