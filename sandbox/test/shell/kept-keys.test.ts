/** `sandbox` keeps its keys for the next start, beside the other caches of the package that it runs in. */

import fs from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { endAll, runSandbox } from './support.ts';

afterEach(endAll);

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kept-keys-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function packageFolder(): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'package.json'), '{}');
  return folder;
}

function fileIn(folder: string): string {
  return join(folder, 'node_modules', '.cache', 'payments-client', 'sandbox-keys.json');
}

/** Starts a sandbox, stops it, and returns its keys and its messages. */
async function keysOfStart(folder: string, args: readonly string[] = [], env = {}) {
  const { ready, stop } = await runSandbox(args, env, folder);
  const { stderr } = await stop();
  const { secret_key, security_key, public_key, webhook_secret } = ready;
  return { keys: { secret_key, security_key, public_key, webhook_secret }, ready, stderr };
}

test('the next start has the same keys and the same webhook secret', async () => {
  const folder = await packageFolder();
  const forwarding = ['--forward-to', 'localhost:1/hooks'];
  const first = await keysOfStart(folder, forwarding);
  expect(await keysOfStart(folder, forwarding)).toMatchObject({ keys: first.keys, stderr: '' });
  expect(first.ready).toMatchObject({ endpoints: [{ secret: first.keys.webhook_secret }] });
  expect((await keysOfStart(folder, ['--forward-to', 'localhost:2/other'])).ready).toMatchObject({
    endpoints: [{ secret: first.keys.webhook_secret }],
  });
  expect(((await stat(fileIn(folder))).mode & 0o777).toString(8)).toBe('600');
  expect(await readdir(dirname(fileIn(folder)))).toEqual(['sandbox-keys.json']);
});

test('a folder within the package has its keys, and another package has others', async () => {
  const [folder, other] = [await packageFolder(), await packageFolder()];
  const within = join(folder, 'src', 'shop');
  await mkdir(within, { recursive: true });
  const { keys } = await keysOfStart(folder);
  expect((await keysOfStart(within)).keys).toEqual(keys);
  const others = Object.values((await keysOfStart(other)).keys);
  expect(others.filter((key) => Object.values(keys).includes(key))).toEqual([]);
});

test('a start has the keys that another start keeps at the same moment', async () => {
  const [folder, other] = [await packageFolder(), await packageFolder()];
  const { keys } = await keysOfStart(other);
  // The other start is done between the look for the file and its creation.
  vi.spyOn(fs, 'mkdirSync').mockImplementationOnce(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    fs.cpSync(fileIn(other), fileIn(folder), { recursive: true });
    return undefined;
  });
  syncBuiltinESMExports();
  expect(await keysOfStart(folder)).toMatchObject({ keys, stderr: '' });
  expect((await keysOfStart(folder)).keys).toEqual(keys);
  expect(await readdir(dirname(fileIn(folder)))).toEqual(['sandbox-keys.json']);
});

test('chosen keys win, and are not kept', async () => {
  const folder = await packageFolder();
  const { keys } = await keysOfStart(folder);
  const env = { PAYMENTS_SECRET_KEY: 'sk_v1_test_of_environment' };
  const chosen = await keysOfStart(folder, ['--security-key', 'mine'], env);
  expect(chosen.keys).toEqual({ ...keys, secret_key: env.PAYMENTS_SECRET_KEY, security_key: 'mine' });
  expect((await keysOfStart(folder)).keys).toEqual(keys);
});

test('nothing is kept for the package beside a data file, which has its own keys', async () => {
  const folder = await packageFolder();
  await keysOfStart(folder, ['--data', join(folder, 'sandbox.data')]);
  expect((await readdir(folder)).toSorted()).toEqual(['package.json', 'sandbox.data', 'sandbox.data.keys']);
});

test('a file without keys is replaced', async () => {
  const folder = await packageFolder();
  await keysOfStart(folder);
  for (const content of ['', '{}', '{"secretKey":"sk_v1_test_x"}']) {
    await writeFile(fileIn(folder), content);
    const { keys, stderr } = await keysOfStart(folder);
    expect(stderr).toBe('');
    expect((await keysOfStart(folder)).keys).toEqual(keys);
  }
});

/** Starts twice where keys cannot be kept. */
async function expectNewKeys(folder: string, reason: RegExp): Promise<void> {
  const starts = [await keysOfStart(folder), await keysOfStart(folder)];
  for (const { stderr } of starts) {
    expect(stderr).toMatch(/^The keys change at the next start, since they cannot be kept: .*\.\n$/);
    expect(stderr).toMatch(reason);
  }
  const keys = starts.flatMap((start) => Object.values(start.keys));
  expect(new Set(keys).size).toBe(8);
  for (const key of keys) expect(starts[0]?.stderr).not.toContain(key);
}

test('outside of a package, keys are new at each start, with a warning', async () => {
  const folder = await emptyFolder();
  await expectNewKeys(folder, /no package\.json in '.*' or above it/);
  expect(await readdir(folder)).toEqual([]);
});

test('where node_modules cannot be written, keys are new at each start, with a warning', async () => {
  const folder = await packageFolder();
  // A file, since nothing is read-only for root.
  await writeFile(join(folder, 'node_modules'), '');
  await expectNewKeys(folder, /ENOTDIR|EEXIST/);
});

test.skipIf(process.getuid?.() === 0)('kept keys of a read-only package are used', async () => {
  const folder = await packageFolder();
  const { keys } = await keysOfStart(folder);
  await chmod(dirname(fileIn(folder)), 0o500);
  onTestFinished(() => chmod(dirname(fileIn(folder)), 0o700));
  expect((await keysOfStart(folder)).keys).toEqual(keys);
  expect(await readFile(fileIn(folder), 'utf8')).toContain(String(keys.secret_key));
});
