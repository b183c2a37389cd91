/** Reaches inside: the program is started by its file, and a test of `npm test` starts none. */

import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { version } from 'payments-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run.node.ts';

const shell = `exports.run = async (line, { stdout, folder }) => {
  stdout.write(line.join(' ') + ' in ' + folder);
  return 7;
};`;

let root: string;

/** Makes a project whose sandbox package has this code. */
async function project(name: string, code: string): Promise<string> {
  const folder = join(root, name);
  const sandbox = join(folder, 'node_modules/payments-client-sandbox');
  await mkdir(sandbox, { recursive: true });
  await writeFile(join(sandbox, 'package.json'), '{ "exports": { "./shell": "./shell.cjs" } }');
  await writeFile(join(sandbox, 'shell.cjs'), code);
  return folder;
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'payments-client-cli-'));
});

afterAll(() => rmSync(root, { recursive: true }));

async function runIn(folder: string, ...line: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await run(line, { stdout, stderr, folder, untilInterrupted: async () => {} });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

it.each(['-V', '-v', '--version'])('prints the version for %s without the sandbox package', async (flag) => {
  expect(await runIn(root, flag)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it.each([
  ['sandbox', '--port', '0'],
  ['probe', '--help'],
  ['help', 'orders'],
  ['webhooks', '--url', 'http://localhost:1', 'list'],
])('hands %s over to the package of the working directory', async (...line) => {
  const folder = await project('shop', shell);
  expect(await runIn(folder, ...line)).toEqual({
    code: 7,
    stdout: `${line.join(' ')} in ${folder}`,
    stderr: '',
  });
});

it('repeats the refusal of a package of another version, in one line', async () => {
  const brand = "{ [Symbol.for('payments-client/ConfigurationError')]: true }";
  const refusal = `throw Object.assign(new Error('expected 0.2.0, got 0.1.0. Install it.\\nat'), ${brand});`;
  const stderr = 'payments-client: expected 0.2.0, got 0.1.0. Install it.\n';
  expect(await runIn(await project('old', refusal), 'sandbox')).toEqual({ code: 1, stdout: '', stderr });
});

it.each([
  ['throws', "throw new Error('no such file');", 'no such file'],
  ['is empty', '', 'shell.run is not a function'],
])('says how to mend a package that %s', async (name, code, problem) => {
  const { code: exit, stderr } = await runIn(await project(name, code), 'sandbox');
  expect(exit).toBe(1);
  expect(stderr).toBe(
    `payments-client: ${problem}. If payments-client-sandbox is damaged, install it again: npm install --save-dev payments-client-sandbox\n`,
  );
});

it('reports a package that the sandbox lacks, not the sandbox as missing', async () => {
  const folder = await project('broken', "require('no-such-package-of-the-sandbox');");
  const { code, stderr } = await runIn(folder, 'sandbox');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^payments-client: Cannot find module 'no-such-package-of-the-sandbox'.* install it again: .*\n$/,
  );
});
