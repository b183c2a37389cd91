/** Runs a copy of a project of test/frameworks with its own scripts. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Sandbox } from 'payments-client-sandbox';
import { type Packages, run } from '../consumer.ts';
import type { Manager } from './cases.ts';
import { recordDeliveries, webhookSecret } from './programs/service.ts';

const projects = resolve(import.meta.dirname, '../../test/frameworks');

/** Copies a project beside `shop.js` and the scenario, and installs it with other versions of some packages. */
export async function installShop(
  folder: string,
  name: string,
  versions: Packages,
  manager: Manager,
): Promise<void> {
  cpSync(join(projects, name), folder, { recursive: true });
  cpSync(join(projects, 'shop.js'), join(folder, 'shop.js'));
  cpSync(join(folder, '../shared/worker.mjs'), join(folder, 'scenario/worker.mjs'));
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  for (const group of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}]) {
    for (const dependency of Object.keys(group))
      group[dependency] = versions[dependency] ?? group[dependency];
  }
  writeFileSync(path, JSON.stringify(manifest));
  // Yarn treats a folder below another project as a part of it, unless it has a lock file.
  if (manager.includes('yarn') && !existsSync(join(folder, 'yarn.lock')))
    writeFileSync(join(folder, 'yarn.lock'), '');
  await run(folder, [...manager, 'install']);
}

/** The environment of a shop. A build loads its modules, so the client must be configured there too. */
export const environmentOf = ({ url, secretKey }: Pick<Sandbox, 'url' | 'secretKey'>) => ({
  PAYMENTS_BASE_URL: url,
  PAYMENTS_SECRET_KEY: secretKey,
  PAYMENTS_WEBHOOK_SECRET: webhookSecret,
  PORT: '0',
  NEXT_TELEMETRY_DISABLED: '1',
});

/** Starts a shop, and runs some work with the URL that it prints. */
export async function withShop<T>(
  folder: string,
  manager: Manager,
  sandbox: Sandbox,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const [command, ...args] = [...manager, 'run', 'start'];
  const env = { ...process.env, ...environmentOf(sandbox) };
  const child = spawn(command ?? '', args, { cwd: folder, env, detached: true, stdio: 'pipe' });
  const closed = once(child, 'close');
  let output = '';
  try {
    const url = await new Promise<string>((found, fail) => {
      const read = (chunk: Buffer) => {
        output += chunk;
        const [address] = /http:\/\/(?:127\.0\.0\.1|localhost):[1-9]\d*/.exec(output) ?? [];
        if (address !== undefined) found(address);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('close', () => fail(new Error('Expected a URL in the output of the server, but it ended.')));
    });
    return await work(url);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${output}`, { cause: error });
  } finally {
    // The package manager and the server that it started.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid);
    await closed;
  }
}

async function post(url: string, body: string, headers: Packages): Promise<readonly [number, unknown]> {
  const reply = await fetch(url, { method: 'POST', body, headers });
  const text = await reply.text();
  return [reply.status, text.startsWith('{') ? JSON.parse(text) : text];
}

/** Pays an order twice, then delivers the event of its payment: signed, again, and forged. It must be charged once. */
export async function buyAndDeliver(sandbox: Sandbox, url: string): Promise<void> {
  const deliveries = recordDeliveries(sandbox, 'payment_intent.succeeded');
  const pay = () =>
    post(`${url}/pay`, JSON.stringify({ order: 'order-1042' }), { 'content-type': 'application/json' });
  const [status, payment] = await pay();
  assert.equal(status, 200, JSON.stringify(payment));
  assert.equal(Object(payment).status, 'succeeded');
  assert.deepEqual(await pay(), [200, payment]);
  await sandbox.settled();
  assert.equal(sandbox.events.filter(({ type }) => type === 'payment_intent.succeeded').length, 1);
  const [{ body, headers } = { body: '', headers: {} }] = deliveries;
  const deliver = (sent: string) => post(`${url}/webhooks`, sent, headers);
  assert.deepEqual(await deliver(body), [200, { outcome: 'handled' }]);
  assert.deepEqual(await deliver(body), [200, { outcome: 'duplicate' }]);
  assert.deepEqual(await deliver(`${body} `), [400, { outcome: 'refused', reason: 'no_match' }]);
}
