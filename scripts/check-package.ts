/**
 * Checks the package as merchants get it: packed, read by tools that know what breaks, installed into an empty
 * folder, and used from ES modules, from CommonJS, from both at once, and from Jest.
 */

import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { edgeBundleSize, edgePrograms } from '../test/bench/edge-bundle.ts';
import { withBroken, without } from './package/broken.ts';
import { deadLinks } from './package/links.ts';
import { consumer, jestTest, programs } from './package/programs.ts';
import { missingSources, packagesInside } from './package/source-maps.ts';
import { install, npm, pack } from './tarball.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'payments-client-'));
const node = process.execPath;

let passed = 0;
let failed = 0;

function run(command: string, args: readonly string[], cwd = folder): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

async function check(what: string, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
    passed += 1;
    console.log(`ok   ${what}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${what}`);
    const { stdout = '', stderr = '' } = Object(error);
    console.log(stdout || stderr ? `${stdout}${stderr}` : error);
  }
}

function bin(name: string): string {
  return join(root, 'node_modules', '.bin', name);
}

/** A size that grows by itself is noticed here; docs/performance.md says what we are after. */
function atMost(bytes: number, bound: number): void {
  if (bytes > bound) throw new Error(`expected at most ${bound} bytes, got ${bytes}`);
}

const { path: tarball, size, unpackedSize } = pack(folder);

await check('publint finds nothing', () => {
  const output = run(bin('publint'), [tarball, '--strict'], root);
  if (!/All good/.test(output)) throw new Error(output);
});

// The packages of Jest take as long to install as all other checks, so these run meanwhile.
const jest = check('Jest can require it', async () => {
  const project = join(folder, 'jest');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  writeFileSync(join(project, 'shop.test.js'), jestTest);
  await install(project, '--ignore-scripts', 'jest@30', tarball);
  run(node, ['node_modules/jest/bin/jest.js'], project);
});

await check('attw finds nothing', () => {
  run(
    bin('attw'),
    [tarball, '--exclude-entrypoints', './package.json', './openapi.json', './interface.schema.json'],
    root,
  );
});

await check('the tarball holds what it should and no more', () => {
  const files = run('tar', ['-tzf', tarball]).trim().split('\n');
  const wanted = /^package\/(?:dist\/|docs\/[\w-]+\.md$|examples\/|package\.json$|[A-Z]+\.md$|LICENSE$)/;
  const stray = files.filter((file) => !wanted.test(file));
  if (stray.length > 0) throw new Error(`unexpected files: ${stray.join(', ')}`);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (Object.keys(manifest.scripts).some((name) => /^(pre|post)?install$|^prepare$/.test(name))) {
    throw new Error('the package has an install script');
  }
});

await check('its size stays as it is', () => {
  atMost(size, 2_050_000);
  atMost(unpackedSize, 8_000_000);
});

await check('it installs into an empty folder', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await install(folder, '--omit=dev', tarball);
});

const modules = join(folder, 'node_modules');
const installed = join(modules, 'payments-client');
const dist = join(installed, 'dist');

await check('it brings its four dependencies along', () => {
  const { dependencies } = JSON.parse(npm(['ls', '--omit=dev', '--depth=1', '--json'], folder));
  const listed = Object.entries<{ version?: string }>(dependencies['payments-client'].dependencies);
  // Optional peers are listed too, without a version where they are absent.
  const names = listed.flatMap(([name, { version }]) => (version === undefined ? [] : [name])).sort();
  if (names.join() !== 'form-data-encoder,ky,p-retry,zod') throw new Error(`it brings ${names.join(', ')}`);
});

await check('with its dependencies it takes at most four fifths of the space of stripe', () => {
  const [ours, theirs] = [modules, join(root, 'node_modules/stripe')].map((path) =>
    Number.parseInt(run('du', ['-sk', path]), 10),
  );
  if (ours === undefined || theirs === undefined || !(ours <= theirs * 0.8)) {
    throw new Error(`expected at most 0.8 of ${theirs} KB, got ${ours} KB`);
  }
});

await check('every link of its guides leads to a file', () => {
  const dead = deadLinks(installed);
  if (dead.length > 0) throw new Error(dead.join('\n'));
});

await check('its source maps hold their sources', () => {
  const missing = missingSources(dist);
  if (missing.length > 0) throw new Error(missing.join('\n'));
});

await check('it has the licence of each package inside', () => {
  const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const named = [...licences.matchAll(/^(\S+): Copyright/gm)].map(([, name]) => name).join();
  // The bundles of the sandbox's pages are packed, so source maps do not name what is inside.
  const inside = [...packagesInside(dist), 'preact'].sort().join();
  if (named !== inside) throw new Error(`expected the licences of ${inside}, got those of ${named}`);
});

await check('its declarations name no dependency', () => {
  const naming = globSync('**/*.d.*ts', { cwd: dist }).filter((file) =>
    /['"](?:form-data-encoder|ky|p-retry|zod)(?:\/[^'"]*)?['"]/.test(readFileSync(join(dist, file), 'utf8')),
  );
  if (naming.length > 0) throw new Error(naming.join('\n'));
});

await check('a program for Workers that makes one call stays small', () => {
  atMost(edgeBundleSize(edgePrograms.ours, folder), 62_000);
});

for (const [name, program] of Object.entries(programs)) {
  await check(`${name} runs`, () => {
    writeFileSync(join(folder, name), program);
    run(node, [name]);
  });
}

/** A program must fail, and say because of which package. */
function failsBecauseOf(name: string, program: string): void {
  let output = '';
  try {
    run(node, [program]);
  } catch (error) {
    output = String(Object(error).stderr);
  }
  if (!output.includes(name))
    throw new Error(`expected a failure that names ${name}, got ${output || 'none'}`);
}

for (const [program, needed] of [
  ['esm.mjs', ['form-data-encoder', 'ky', 'p-retry', 'zod']],
  ['commonjs.cjs', ['form-data-encoder', 'zod']],
] as const) {
  for (const name of needed) {
    await check(`${program} fails where ${name} is broken`, () => {
      withBroken(join(modules, name), () => failsBecauseOf(name, program));
    });
  }
}

await check('commonjs.cjs needs no package that is an ES module alone', () => {
  const esModulesAlone = ['is-network-error', 'ky', 'p-retry'].map((name) => join(modules, name));
  without(esModulesAlone, () => run(node, ['--no-experimental-require-module', 'commonjs.cjs']));
});

for (const [types, lib] of [
  ['with the DOM library', ['ES2022', 'DOM']],
  ['with neither the DOM library nor types of Node', ['ES2022']],
] as const) {
  await check(`its declarations compile strictly, ${types}`, () => {
    writeFileSync(join(folder, 'consumer.mts'), consumer);
    writeFileSync(join(folder, 'consumer.cts'), consumer);
    const compilerOptions = {
      ...{ noEmit: true, strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
      ...{ target: 'ES2022', module: 'NodeNext', types: [], lib },
    };
    const project = { compilerOptions, files: ['consumer.mts', 'consumer.cts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    run(bin('tsc'), ['--project', folder]);
  });
}

await jest;
rmSync(folder, { recursive: true, force: true });
console.log(`package: ${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
