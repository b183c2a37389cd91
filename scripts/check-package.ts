/** Checks both packages as merchants get them: packed, read by package linters, installed into an empty folder, and used. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { check, printCounts } from './checks.ts';
import { packedPackages } from './consumer.ts';

const root = resolve(import.meta.dirname, '..');
const [sdk = '', sandbox = ''] = Object.values(packedPackages()).map((path) => path.replace(/^file:/, ''));
const folder = mkdtempSync(join(tmpdir(), 'payments-client-check-'));
const programs = join(root, 'scripts/package');

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function project(name: string): string {
  const path = join(folder, name);
  cpSync(programs, path, { recursive: true });
  writeFileSync(join(path, 'package.json'), '{ "private": true }');
  return path;
}

/** Installs packages as a person does: `npm install …`. */
function install(cwd: string, ...packages: readonly string[]): void {
  run('npm', ['install', '--no-audit', '--no-fund', ...packages], cwd);
}

function filesOf(tarball: string): readonly string[] {
  return run('tar', ['-tzf', tarball], root).trim().split('\n');
}

/** Returns each relative link of the Markdown files that leads nowhere. */
function deadLinks(path: string): readonly string[] {
  return globSync('**/*.md', { cwd: path, exclude: ['node_modules'] }).flatMap((file) => {
    const prose = readFileSync(join(path, file), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    const links = [...prose.matchAll(/(?:\]\(|(?:src|srcset)=")([^)\s"]+)/g)].map(([, link = '']) => link);
    const relative = links
      .filter((link) => !/^(?:[a-z]+:|#)/.test(link))
      .map((link) => link.replace(/#.*/, ''));
    return relative
      .filter((link) => !existsSync(join(path, dirname(file), link)))
      .map((link) => `${file} -> ${link}`);
  });
}

/** Returns the names of what a project installed for a package, without optional peers that are absent. */
function installedFor(name: string, cwd: string): readonly string[] {
  const { dependencies } = JSON.parse(run('npm', ['ls', '--depth=1', '--json'], cwd));
  const listed = Object.entries<{ version?: string }>(dependencies[name].dependencies);
  return listed.flatMap(([found, { version }]) => (version === undefined ? [] : [found])).sort();
}

for (const [name, tarball] of Object.entries({ sdk, sandbox })) {
  await check(`publint and attw report nothing of ${name}`, () => {
    assert.match(run('npx', ['--no-install', 'publint', tarball, '--strict'], root), /All good/);
    const data = ['./package.json', './openapi.json', './interface.schema.json', './shell'];
    run('npx', ['--no-install', 'attw', tarball, '--exclude-entrypoints', ...data], root);
  });
}

await check('the tarball has the expected files only, at most 350 and 2.6 MB', () => {
  const files = filesOf(sdk);
  const expected =
    /^package\/(?:dist\/|docs\/(?:[\w-]+\.md|alerts\.yml|llms\.txt|pictures\/[\w-]+\.png)$|examples\/|package\.json$|[A-Z]+\.md$|LICENSE$)/;
  assert.deepEqual(
    files.filter((file) => !expected.test(file)),
    [],
  );
  assert(files.length <= 350, `${files.length} files`);
});

const production = project('production');
const installed = join(production, 'node_modules/payments-client');

await check('it installs into an empty folder, with its five dependencies', async () => {
  install(production, '--omit=dev', sdk);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.deepEqual(installedFor('payments-client', production), Object.keys(dependencies).sort());
  assert.equal(Object.keys(dependencies).length, 5);
  const files = globSync('**/*.*', { cwd: installed }).map((file) => statSync(join(installed, file)));
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  assert(bytes <= 3_350_000, `${bytes} bytes`);
});

await check('it has no line of the sandbox or of what only that needs', () => {
  for (const file of globSync('dist/**/*.{js,cjs}', { cwd: installed })) {
    const code = readFileSync(join(installed, file), 'utf8');
    assert.doesNotMatch(code, /createSandbox|class Hono|["'](?:hono|preact|commander)["'/]/, file);
  }
});

await check('with its dependencies it takes at most 65% of the space of stripe', () => {
  const [ours = Number.NaN, theirs = Number.NaN] = [
    join(production, 'node_modules'),
    join(root, 'node_modules/stripe'),
  ].map((path) => Number.parseInt(run('du', ['-sk', path], root), 10));
  assert(ours <= theirs * 0.65, `${ours} KB of ${theirs} KB`);
});

await check('every link of its guides points to a file', () => assert.deepEqual(deadLinks(installed), []));

await check('it has the licence and the version of each carried package', () => {
  const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const code = globSync('dist/**/*.cjs', { cwd: installed }).map((file) =>
    readFileSync(join(installed, file), 'utf8'),
  );
  const loaded = new Set(
    code.flatMap((text) => [...text.matchAll(/require\(["']([^."'][^"']*)["']\)/g)].map(([, name]) => name)),
  );
  const expected = ['@opentelemetry/api', 'form-data-encoder', 'payments-client/browser', 'react'];
  assert.deepEqual([...loaded].filter((name) => !name?.startsWith('node:')).sort(), expected);
  const named = [...licences.matchAll(/^([@\w/-]+) (\d+\.\d+\.\d+)$/gm)].map(([, name]) => name);
  assert.deepEqual(named, ['@noble/hashes', 'is-network-error', 'ky', 'p-retry', 'zod']);
});

await check('its declarations name no dependency, and each is named after a module of the source', () => {
  const files = globSync('dist/types/**/*.d.*ts', { cwd: installed });
  const text = files.map((file) => readFileSync(join(installed, file), 'utf8')).join('');
  assert.doesNotMatch(text, /['"](?:@noble\/hashes|form-data-encoder|ky|p-retry|zod)(?:\/[^'"]*)?['"]/);
  const source = (file: string) => file.replace(/^dist\/types\/(.+)\.d\.c?ts$/, 'src/$1.ts');
  assert.deepEqual(
    files.filter((file) => !existsSync(join(root, source(file)))),
    [],
  );
});

await check('its ES modules import each dependency', () => {
  const code = globSync('dist/**/*.js', { cwd: installed })
    .map((file) => readFileSync(join(installed, file), 'utf8'))
    .join('');
  for (const name of ['@noble/hashes', 'form-data-encoder', 'ky', 'p-retry', 'zod'])
    assert.match(code, new RegExp(`from ["']${name}["'/]`));
});

await check('its program names the package that has the commands', () => {
  const program = join(installed, 'dist/cli.js');
  assert.match(run(process.execPath, [program, '--version'], production), /^\d+\.\d+\.\d+\n$/);
  const hint = /Install it: npm install --save-dev payments-client-sandbox\n$/;
  assert.match(run(process.execPath, [program, '--help'], production), hint);
  assert.throws(() => run(process.execPath, [program, 'sandbox'], production), { status: 2, stderr: hint });
});

await check('entries.mjs runs', () => run(process.execPath, ['entries.mjs'], production));

await check('webpack and rspack bundle it without a warning', async () => {
  const bundled = project('bundled');
  install(bundled, sdk, 'webpack@5', '@rspack/core@1');
  run(process.execPath, ['bundlers.mjs'], bundled);
});

const development = project('development');

await check('a project with the sandbox shows what that is made of', async () => {
  install(development, sdk);
  install(development, '--save-dev', sandbox, 'jest@30', 'jest-environment-jsdom@30');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'sandbox/package.json'), 'utf8'));
  const names = installedFor('payments-client-sandbox', development).filter(
    (name) => name !== 'payments-client',
  );
  assert.deepEqual(names, Object.keys(dependencies).sort());
  assert.deepEqual(deadLinks(join(development, 'node_modules/payments-client-sandbox')), []);
});

for (const program of ['esm.mjs', 'commonjs.cjs', 'copies.mjs', 'names.mjs'])
  await check(`${program} runs`, () => run(process.execPath, [program], development));

await check('CommonJS of the SDK needs no ESM-only package', () => {
  const hidden = ['@noble', 'is-network-error', 'ky', 'p-retry', 'zod'];
  const lonely = project('lonely');
  cpSync(join(production, 'node_modules'), join(lonely, 'node_modules'), { recursive: true });
  for (const name of hidden) rmSync(join(lonely, 'node_modules', name), { recursive: true });
  const load = ['', '/fraud', '/journal', '/orders', '/stores', '/webhooks']
    .map((entry) => `require('payments-client${entry}');`)
    .join('');
  run(process.execPath, ['--no-experimental-require-module', '-e', load], lonely);
});

await check('Jest can require both, also in jsdom', () => {
  run(process.execPath, ['node_modules/jest/bin/jest.js', '--testMatch', '**/*.test.cjs'], development);
});

await check('its program finds the commands, and refuses those of another version', () => {
  const program = join(development, 'node_modules/payments-client/dist/cli.js');
  assert.match(run(process.execPath, [program, 'help', 'sandbox'], development), /--forward-to/);
  const other = join(folder, 'other');
  mkdirSync(other);
  cpSync(join(development, 'node_modules'), join(other, 'node_modules'), { recursive: true });
  for (const file of globSync('node_modules/payments-client/dist/**/*.{js,cjs}', { cwd: other })) {
    const path = join(other, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/\bversion = "[^"]+"/, 'version = "0.0.9"'));
  }
  const refusal = /^payments-client: payments-client-sandbox [^\n]*0\.0\.9[^\n]*\n$/;
  const theirs = join(other, 'node_modules/payments-client/dist/cli.js');
  assert.throws(() => run(process.execPath, [theirs, 'sandbox'], other), { status: 1, stderr: refusal });
  for (const load of ["require('payments-client-sandbox')", "import('payments-client-sandbox/testing')"])
    assert.throws(() => run(process.execPath, ['-e', load], other), {
      stderr: /payments-client-sandbox .*0\.0\.9/,
    });
});

await check('a container without development dependencies has nothing of the sandbox', async () => {
  run('npm', ['prune', '--omit=dev', '--no-audit', '--no-fund'], development);
  const left = globSync('node_modules/{payments-client-sandbox,hono,preact,commander}', { cwd: development });
  assert.deepEqual(left, []);
});

rmSync(folder, { recursive: true, force: true });
printCounts('package');
