/**
 * Runs an example with a sandbox of the payment service: `npm run example -- quick-start`. It sets the environment variables that the
 * host of an app would set. Do not copy this file.
 */

import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createSandbox } from 'payments-client-sandbox';
import { scenes } from './scenes.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const [name = '', ...given] = process.argv.slice(2);
const scene = scenes[name];
if (scene === undefined) {
  console.error(`Expected the name of an example, one of: ${Object.keys(scenes).join(', ')}.`);
  process.exit(2);
}

const sandbox = await createSandbox({ clock: 'running', onlyShownFields: true }).listen();
const { url, secretKey, securityKey } = sandbox;
console.log(`The sandbox is at ${url}: its start page is a dashboard.`);

const prepared = (await scene.prepare?.(sandbox)) ?? [];
const args = given.length > 0 ? given : prepared;
// A new folder for each run, because the data of an example must not outlive its sandbox.
const folder = await mkdtemp(join(tmpdir(), 'example-'));
const program = join(import.meta.dirname, `${name}.ts`);
const example = spawn(process.execPath, [...process.execArgv, program, ...args], {
  cwd: folder,
  env: {
    ...process.env,
    PAYMENTS_BASE_URL: url,
    PAYMENTS_SECRET_KEY: secretKey,
    PAYMENTS_SECURITY_KEY: securityKey,
    PAYMENTS_WEBHOOK_SECRET: secret,
    PAYMENTS_CHECKOUT_PAGE: sandbox.checkoutPage,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
console.log(`The example runs in ${folder}.`);
process.once('SIGTERM', () => example.kill());
example.once('exit', (code) => {
  process.exitCode = code ?? 1;
});

for await (const line of createInterface({ input: example.stdout })) {
  console.log(line);
  const [, port] = /^Listening .*\bport: (\d+)/.exec(line) ?? [];
  if (port === undefined) continue;
  sandbox.webhooks.deliverTo(`http://127.0.0.1:${port}/webhooks`, { secret });
  void scene.afterStart?.(sandbox);
}
await sandbox.close();
