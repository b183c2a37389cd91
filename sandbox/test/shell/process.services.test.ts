/** The program as a process: signals, exit codes, pipes, its working directory, and a real terminal. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import {
  type Environment,
  endAll,
  hasTerminal,
  launchProgram,
  paymentsClient,
  runProgram,
  typeInto,
} from '../../../test/support/programs.ts';
import { startSandbox } from '../../../test/support/sandbox.ts';
import { skipWithout } from '../../../test/support/skip.ts';

afterEach(endAll);

const run = (args: readonly string[], env?: Environment) => runProgram(paymentsClient, args, env);

const program = `'${process.execPath}' '${paymentsClient.path}'`;

/** Runs a command line of a shell that has the program in `$program`. */
function inShell(commandLine: string) {
  return spawnSync('sh', ['-c', commandLine.replaceAll('$program', program)], { encoding: 'utf8' });
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'process-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder in which the program keeps keys. */
async function packageFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{}');
  return folder;
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a sandbox stops at %s: it deletes its keys, and other programs that follow it end too',
  async (signal) => {
    const TMPDIR = await temporaryFolder();
    const env = { TMPDIR };
    const shop = { ...paymentsClient, folder: await packageFolder() };
    const sandbox = launchProgram(shop, ['sandbox', '--json', '--port', '0'], env);
    const { url } = JSON.parse(await sandbox.line());
    const follower = launchProgram(paymentsClient, ['events', '--follow', '--json', '--url', url], env);
    await follower.message('Following');
    expect(await run(['trigger', 'customer.created', '--url', url], env)).toMatchObject({ code: 0 });
    expect(JSON.parse(await follower.line())).toMatchObject({ kind: 'action', name: 'trigger' });
    expect(JSON.parse(await follower.line())).toMatchObject({ event: { type: 'customer.created' } });
    expect(await sandbox.stop(signal)).toMatchObject({ code: 0, stderr: '' });
    expect(await follower.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('stopped') });
    expect(await readdir(TMPDIR, { recursive: true })).toHaveLength(1);
  },
);

test('processes that start at once keep one set of keys, for the next start too', async () => {
  const folder = await packageFolder();
  const shop = { ...paymentsClient, folder };
  const env = { TMPDIR: await temporaryFolder() };
  const keysOfStart = async () => {
    const sandbox = launchProgram(shop, ['sandbox', '--json', '--port', '0'], env);
    const { secret_key, webhook_secret } = JSON.parse(await sandbox.line());
    await sandbox.stop();
    return { secret_key, webhook_secret };
  };
  const [first, ...others] = await Promise.all(Array.from({ length: 3 }, keysOfStart));
  expect([...others, await keysOfStart()]).toEqual([first, first, first]);
});

test('a shell and node --env-file read the lines of env alike', async () => {
  const folder = await packageFolder();
  const shop = { ...paymentsClient, folder };
  const env = { TMPDIR: await temporaryFolder() };
  for (const key of ['plain', '$HOME `id` "#" ! ~', "it's # here"]) {
    const args = ['sandbox', '--json', '--port', '0', '--security-key', key];
    const sandbox = launchProgram(shop, args, env);
    const { url } = JSON.parse(await sandbox.line());
    const { stdout } = await runProgram(shop, ['env', '--url', url], env);
    await sandbox.stop();
    await writeFile(join(folder, '.env'), stdout);
    const read = 'process.stdout.write(process.env.PAYMENTS_SECURITY_KEY)';
    const node = spawnSync(process.execPath, ['--env-file=.env', '-e', read], {
      cwd: folder,
      encoding: 'utf8',
    });
    const sh = 'set -a; . ./.env; printf %s "$PAYMENTS_SECURITY_KEY"';
    const shell = spawnSync('sh', ['-c', sh], { cwd: folder, encoding: 'utf8' });
    expect([node.stdout, shell.stdout]).toEqual([key, key]);
  }
});

test('the exit code is 2 for an invalid command line, and 1 for a failure', async () => {
  const PAYMENTS_BASE_URL = 'http://127.0.0.1:1';
  expect(await run(['teapot'])).toMatchObject({ code: 2, stdout: '' });
  expect(await run(['events'], { PAYMENTS_BASE_URL })).toMatchObject({ code: 1, stdout: '' });
});

test('exits quietly when stdout is closed', () => {
  expect(inShell('{ $program help trigger; echo "$?" >&2; } | true').stderr).toBe('0\n');
});

test.skipIf(!existsSync('/dev/full'))('a full disk is an error', () => {
  const { status, stderr } = inShell('$program help > /dev/full');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^payments-client: the results cannot be written: ENOSPC.*\n$/);
});

test('a file named - is standard input', () => {
  const { status, stderr } = inShell(`echo '{ "errorShape": "round" }' | $program sandbox --interface -`);
  expect(status).toBe(2);
  expect(stderr).toContain("in '-': interface.errorShape: expected 'nested' or");
});

test('a probe reads its URL and key from the environment, and writes into the working directory', async () => {
  const { url, secretKey } = await startSandbox();
  const folder = await temporaryFolder();
  const env = { PAYMENTS_BASE_URL: url, PAYMENTS_SECRET_KEY: secretKey };
  const { code, stderr } = await runProgram({ ...paymentsClient, folder }, ['probe', '--pace', '0'], env);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Wrote payments.interface.json after')]);
  const file = await readFile(join(folder, 'payments.interface.json'), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ version: 1, itemsField: 'data' });
});

const { isSkipped, why } = skipWithout(
  hasTerminal,
  'script (of bsdutils)',
  'sandbox/test/shell/process.services.test.ts',
);

test.skipIf(isSkipped)(`a terminal gets colours, and lines that fit it${why}`, async () => {
  const shown = await typeInto(`stty cols 40; ${program} help trigger`, '', tmpdir(), {});
  expect(shown).toContain('\u001b[1mOptions:');
  expect(shown).toContain('\r\n  --set <field=value>\r\n      Sets a field of the object, ');
});
