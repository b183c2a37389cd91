/** The program keeps its keys, and its commands find them. */

import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import { endAll, parse, run, runSandbox } from './support.ts';

afterEach(endAll);

/** A folder for temporary files, which programs are given. */
async function temporary(): Promise<{ readonly TMPDIR: string; readonly folder: string }> {
  const TMPDIR = await mkdtemp(join(tmpdir(), 'keys-'));
  onTestFinished(() => rm(TMPDIR, { recursive: true, force: true }));
  return { TMPDIR, folder: join(TMPDIR, `payments-client-${process.getuid?.()}`) };
}

function keysOf(ready: Record<string, unknown>): string[] {
  return ['secret_key', 'security_key', 'public_key', 'webhook_secret'].map((name) => String(ready[name]));
}

/** The content of a file with the keys of a running sandbox. */
function keyFile(pid: number, secret_key: string): string {
  const keys = { secret_key, security_key: 'sec', public_key: 'pk', webhook_secret: 'whsec_1' };
  return JSON.stringify({ pid, url: 'http://127.0.0.1:4242', ...keys });
}

/** A server that is no sandbox, and the keys that it gets. */
async function otherProgram() {
  const keys: (string | undefined)[] = [];
  const server = await serve(({ headers }, response) => {
    keys.push(headers.authorization);
    response.writeHead(404).end();
  });
  onTestFinished(() => server.close());
  return { url: server.url, keys };
}

test('commands find the keys of two sandboxes at once', async () => {
  const { TMPDIR } = await temporary();
  const other = ['--secret-key', 'sk_v1_test_other'];
  const sandboxes = [await runSandbox([], { TMPDIR }), await runSandbox(other, { TMPDIR })];
  for (const { url, call } of sandboxes) {
    for (const args of [
      ['trigger', 'customer.created'],
      ['clock', 'advance', '1 day'],
      ['seed', '--customers', '1', '--intents', '1', '--months', '1'],
    ]) {
      const { code, stderr } = await call(...args);
      expect([args, code, stderr]).toEqual([args, 0, '']);
    }
    const named = { TMPDIR, PAYMENTS_BASE_URL: url.replace('127.0.0.1', 'localhost') };
    const { event } = parse((await run(['events', '--json'], named)).stdout);
    const replayed = await call('webhooks', 'replay', String(Object(event).id));
    expect([replayed.code, replayed.stderr]).toEqual([0, 'No endpoint subscribes to this event.\n']);
  }
});

test('the keys are in a file that only its owner can read, until the sandbox ends', async () => {
  const { TMPDIR, folder } = await temporary();
  const sandbox = await runSandbox([], { TMPDIR });
  const file = join(folder, `${new URL(sandbox.url).port}.json`);
  expect(((await lstat(folder)).mode & 0o777).toString(8)).toBe('700');
  expect(((await lstat(file)).mode & 0o777).toString(8)).toBe('600');
  expect(keysOf(parse(await readFile(file, 'utf8')))).toEqual(keysOf(sandbox.ready));
  expect((await sandbox.stop()).code).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

test('they are in the runtime directory, if there is one', async () => {
  const { TMPDIR, folder } = await temporary();
  const env = { TMPDIR: '/nowhere', XDG_RUNTIME_DIR: TMPDIR };
  const { url, call } = await runSandbox([], env);
  expect(await readdir(join(TMPDIR, 'payments-client'))).toEqual([`${new URL(url).port}.json`]);
  expect(existsSync(folder)).toBe(false);
  expect((await call('events')).code).toBe(0);
});

test('a folder open to others, a link and a file are refused with a message', async () => {
  const plants = [
    async (folder: string) => {
      await mkdir(folder);
      await chmod(folder, 0o777);
    },
    async (folder: string) => {
      await mkdir(`${folder}-planted`, { mode: 0o700 });
      await symlink(`${folder}-planted`, folder);
    },
    (folder: string) => writeFile(folder, ''),
  ];
  for (const plant of plants) {
    const { TMPDIR, folder } = await temporary();
    await plant(folder);
    const sandbox = await runSandbox([], { TMPDIR });
    await sandbox.message('--secret-key');
    const refused = await sandbox.call('events');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--secret-key')]);
    const { secret_key } = sandbox.ready;
    expect((await sandbox.call('events', '--secret-key', String(secret_key))).code).toBe(0);
    const { code, stderr } = await sandbox.stop();
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([0, 1]);
    expect(stderr).not.toContain(String(secret_key));
    expect(await readdir(`${folder}-planted`).catch(() => [])).toEqual([]);
  }
});

test('a planted link for the file is replaced, not followed', async () => {
  const { TMPDIR, folder } = await temporary();
  const first = await runSandbox([], { TMPDIR });
  const { port } = new URL(first.url);
  await first.stop();
  const target = join(TMPDIR, 'target');
  await writeFile(target, 'mine');
  await symlink(target, join(folder, `${port}.json`));
  const again = await runSandbox(['--port', port], { TMPDIR });
  expect(await readFile(target, 'utf8')).toBe('mine');
  expect((await lstat(join(folder, `${port}.json`))).isSymbolicLink()).toBe(false);
  await again.stop();
  await symlink(target, join(folder, `${port}.json`));
  await writeFile(target, keyFile(process.pid, 'sk_v1_test_planted'));
  const { url, keys } = await otherProgram();
  await symlink(target, join(folder, `${new URL(url).port}.json`));
  await run(['events', '--url', url], { TMPDIR });
  expect(keys).toEqual([undefined]);
});

test('the key of a killed sandbox is not sent to another program on its port', async () => {
  const { TMPDIR, folder } = await temporary();
  const { url, keys } = await otherProgram();
  const file = join(folder, `${new URL(url).port}.json`);
  const plant = async (pid: number) => {
    await mkdir(folder, { mode: 0o700, recursive: true });
    await writeFile(file, keyFile(pid, 'sk_v1_test_stale'), { mode: 0o600 });
    await run(['events', '--url', url], { TMPDIR });
  };
  await plant(process.pid);
  // Larger than the id of any process.
  await plant(2 ** 30);
  expect(keys).toEqual(['Bearer sk_v1_test_stale', undefined]);
  const next = await runSandbox([], { TMPDIR });
  expect(await readdir(folder)).toEqual([`${new URL(next.url).port}.json`]);
});

test('keys can be chosen, and are found by the other commands too', async () => {
  const { TMPDIR } = await temporary();
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const chosen = ['--secret-key', 'sk_v1_test_mine', '--security-key', 'sec-mine', '--public-key', 'pk-mine'];
  const forwarding = ['--webhook-secret', secret, '--forward-to', 'localhost:1/x'];
  const { url, ready, call } = await runSandbox([...chosen, ...forwarding], { TMPDIR });
  expect(keysOf(ready)).toEqual(['sk_v1_test_mine', 'sec-mine', 'pk-mine', secret]);
  expect(ready).toMatchObject({ endpoints: [{ url: 'http://localhost:1/x', secret }] });
  expect((await call('events')).code).toBe(0);
  // The key of another sandbox, or of the service, in the environment is not in the way.
  const env = { TMPDIR, PAYMENTS_SECRET_KEY: 'sk_v1_test_of_the_service' };
  expect((await run(['events', '--url', url], env)).code).toBe(0);
});

test.each([
  ['--secret-key', 'sk_v1_live_do_not_show'],
  ['--secret-key', 'sk_do_not_show'],
  ['--security-key', 'sk_v1_live_do_not_show'],
  ['--security-key', 'whsec_do_not_show'],
  ['--public-key', 'pk_v1_live_do_not_show'],
  ['--public-key', 'sk_v1_test_do_not_show'],
  ['--webhook-secret', 'whsec_live_do_not_show'],
  ['--webhook-secret', 'whsec_do_not_show_this'],
])('%s %s is refused, and not shown', async (option, key) => {
  const { code, stdout, stderr } = await run(['sandbox', '--port', '0', option, key]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`expected ${option}(?: \\(\\w+\\))? to be`));
  expect(stderr).not.toContain('do_not_show');
  if (option === '--secret-key') expect((await run(['events', option, key])).code).toBe(2);
});

test('an address to forward to must be valid', async () => {
  const { code, stderr } = await run(['sandbox', '--forward-to', 'http://ada:do_not_show@localhost']);
  expect(code).toBe(2);
  expect(stderr).toContain('expected --forward-to to be an address without');
  expect(stderr).not.toContain('do_not_show');
});

test('a data file keeps its keys for the next start', async () => {
  const { TMPDIR } = await temporary();
  const args = ['--data', join(TMPDIR, 'data')];
  const first = await runSandbox(args, { TMPDIR });
  await first.stop();
  const second = await runSandbox(args, { TMPDIR });
  expect(keysOf(second.ready)).toEqual(keysOf(first.ready));
  expect((await second.call('events')).code).toBe(0);
});

test('endpoints registered over HTTP must be on this machine, unless remote endpoints are allowed', async () => {
  const { TMPDIR } = await temporary();
  const remote = 'https://shop.example/hook';
  const register = async (...args: string[]) => {
    const { url, ready } = await runSandbox(args, { TMPDIR });
    const headers = { authorization: `Bearer ${ready['secret_key']}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: remote });
    return (await fetch(`${url}/v1/webhook_endpoints`, { method: 'POST', headers, body })).status;
  };
  expect(await register()).toBe(400);
  expect(await register('--allow-remote-webhooks')).toBe(200);
  // What the developer writes is free.
  const { ready } = await runSandbox(['--forward-to', remote], { TMPDIR });
  expect(ready).toMatchObject({ endpoints: [{ url: remote }] });
});
