/**
 * Checks the package as merchants get it: packed, read by package linters, installed into an empty folder, and used
 * from ES modules, from CommonJS, from both together, and from Jest.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check, printCounts } from './checks.ts';
import { deadLinks } from './package/links.ts';
import { jestTest, programs } from './package/programs.ts';
import { missingSources, packagesInside } from './package/source-maps.ts';
import { without } from './package/without.ts';
import { install, npm, pack } from './tarball.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'payments-client-'));
const node = process.execPath;

function run(command: string, args: readonly string[], cwd = folder): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function bin(name: string): string {
  return join(root, 'scripts/tools/node_modules/.bin', name);
}

/** Fails above a limit, so that growth is noticed; docs/performance.md has the target. */
function checkSize(bytes: number, limit: number): void {
  if (bytes > limit) throw new Error(`expected at most ${limit} bytes, got ${bytes}`);
}

const { path: tarball, size, unpackedSize } = pack(folder);

await check('publint reports nothing', () => {
  const output = run(bin('publint'), [tarball, '--strict'], root);
  if (!/All good/.test(output)) throw new Error(output);
});

// Jest's packages take as long to install as all other checks, so these run concurrently.
const jest = check('Jest can require it', async () => {
  const project = join(folder, 'jest');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  writeFileSync(join(project, 'shop.test.js'), jestTest);
  await install(project, '--ignore-scripts', 'jest@30', tarball);
  run(node, ['node_modules/jest/bin/jest.js'], project);
});

await check('attw reports nothing', () => {
  run(
    bin('attw'),
    [tarball, '--exclude-entrypoints', './package.json', './openapi.json', './interface.schema.json'],
    root,
  );
});

await check('the tarball has the expected files only', () => {
  const files = run('tar', ['-tzf', tarball]).trim().split('\n');
  const expected =
    /^package\/(?:dist\/|src\/(?!(?:cli|probe|sandbox|testing)\/)|docs\/(?:[\w-]+\.md|alerts\.yml|llms\.txt)$|examples\/|package\.json$|[A-Z]+\.md$|LICENSE$)/;
  const unexpected = files.filter((file) => !expected.test(file));
  if (unexpected.length > 0) throw new Error(`unexpected files: ${unexpected.join(', ')}`);
});

await check('its size is within the limit', () => {
  checkSize(size, 1_560_000);
  checkSize(unpackedSize, 6_200_000);
});

await check('it installs into an empty folder', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await install(folder, '--omit=dev', tarball);
});

const modules = join(folder, 'node_modules');
const installed = join(modules, 'payments-client');
const dist = join(installed, 'dist');

await check('it installs its four dependencies', () => {
  const { dependencies } = JSON.parse(npm(['ls', '--omit=dev', '--depth=1', '--json'], folder));
  const listed = Object.entries<{ version?: string }>(dependencies['payments-client'].dependencies);
  // Optional peers are listed too, without a version if they are absent.
  const names = listed.flatMap(([name, { version }]) => (version === undefined ? [] : [name])).sort();
  if (names.join() !== 'form-data-encoder,ky,p-retry,zod')
    throw new Error(`expected four dependencies, got ${names.join(', ')}`);
});

await check('with its dependencies it takes at most 80% of the space of stripe', () => {
  const [ours, theirs] = [modules, join(root, 'scripts/tools/node_modules/stripe')].map((path) =>
    Number.parseInt(run('du', ['-sk', path]), 10),
  );
  if (ours === undefined || theirs === undefined || !(ours <= theirs * 0.8)) {
    throw new Error(`expected at most 0.8 of ${theirs} KB, got ${ours} KB`);
  }
});

await check('every link of its guides points to a file', () => {
  const dead = deadLinks(installed);
  if (dead.length > 0) throw new Error(`expected no broken links, got:\n${dead.join('\n')}`);
});

await check('its source maps have their sources', () => {
  const missing = missingSources(dist);
  if (missing.length > 0) throw new Error(`expected the sources, got none of:\n${missing.join('\n')}`);
});

await check('it has the licence of each bundled package', () => {
  const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const named = [...licences.matchAll(/^(\S+): Copyright/gm)].map(([, name]) => name).join();
  const inside = packagesInside(dist).join();
  if (named !== inside) throw new Error(`expected the licences of ${inside}, got those of ${named}`);
});

await check('its declarations name no dependency', () => {
  const naming = globSync('**/*.d.*ts', { cwd: dist }).filter((file) =>
    /['"](?:form-data-encoder|ky|p-retry|zod)(?:\/[^'"]*)?['"]/.test(readFileSync(join(dist, file), 'utf8')),
  );
  if (naming.length > 0)
    throw new Error(`expected no names of dependencies, got some in ${naming.join(', ')}`);
});

await check('each file of its declarations is named after a module of the source', () => {
  const files = globSync('**/*.d.*ts', { cwd: join(dist, 'types') });
  const others = files.filter((file) => !existsSync(join(root, 'src', file.replace(/\.d\.c?ts$/, '.ts'))));
  if (files.length === 0 || others.length > 0)
    throw new Error(`expected only modules of src, got ${others.join(', ') || 'no files'}`);
});

await check('its ES modules import each dependency', () => {
  const files = globSync('**/*.js', { cwd: dist });
  const code = files.map((file) => readFileSync(join(dist, file), 'utf8')).join('');
  for (const name of ['form-data-encoder', 'ky', 'p-retry', 'zod']) {
    if (!new RegExp(`from ["']${name}["'/]`).test(code))
      throw new Error(`expected an import of ${name}, got none`);
  }
});

for (const [name, program] of Object.entries(programs)) {
  await check(`${name} runs`, () => {
    writeFileSync(join(folder, name), program);
    run(node, [name]);
  });
}

await check('commonjs.cjs needs no ESM-only package', () => {
  const esmOnly = ['is-network-error', 'ky', 'p-retry'].map((name) => join(modules, name));
  without(esmOnly, () => run(node, ['--no-experimental-require-module', 'commonjs.cjs']));
});

await jest;
rmSync(folder, { recursive: true, force: true });
printCounts('package');
