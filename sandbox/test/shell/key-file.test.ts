/** The keys of running sandboxes, in files that only their owner can read, and that the other commands read. */

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
  for (const { url, call } of [await runSandbox([], { TMPDIR }), await runSandbox(other, { TMPDIR })]) {
    expect(await call('trigger', 'customer.created')).toMatchObject({ code: 0, stderr: '' });
    const named = { TMPDIR, PAYMENTS_BASE_URL: url.replace('127.0.0.1', 'localhost') };
    const { stdout } = await run(['events', '--json'], named);
    expect(stdout.trim().split('\n')).toHaveLength(1);
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

test('the key of a killed sandbox, or from a file that others can read or write, is not sent to another program', async () => {
  const { TMPDIR, folder } = await temporary();
  const { url, keys } = await otherProgram();
  const file = join(folder, `${new URL(url).port}.json`);
  const plant = async (pid: number, mode = 0o600, folderMode = 0o700) => {
    await mkdir(folder, { recursive: true });
    await chmod(folder, folderMode);
    await writeFile(file, keyFile(pid, 'sk_v1_test_stale'));
    await chmod(file, mode);
    await run(['events', '--url', url], { TMPDIR });
  };
  await plant(process.pid);
  for (const mode of [0o640, 0o604, 0o620]) await plant(process.pid, mode);
  for (const mode of [0o750, 0o701]) await plant(process.pid, 0o600, mode);
  await plant(process.pid);
  // Larger than the id of any process.
  await plant(2 ** 30);
  const sent = 'Bearer sk_v1_test_stale';
  expect(keys).toEqual([sent, ...Array.from({ length: 5 }, () => undefined), sent, undefined]);
  const next = await runSandbox([], { TMPDIR });
  expect(await readdir(folder)).toEqual([`${new URL(next.url).port}.json`]);
});
