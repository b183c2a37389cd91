/**
 * Checks the declarations as merchants get them: the programs of `test/consumers` compile against the packed packages with
 * TypeScript 5.4 to 7 and every module resolution, both without other packages and with all peers. Needs the build. attw
 * resolves the entries, but compiles no program.
 */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check, printCounts } from './checks.ts';
import { install, packedPackages, run } from './consumer.ts';

const consumers = resolve(import.meta.dirname, '../test/consumers');
const folder = mkdtempSync(join(tmpdir(), 'payments-client-types-'));
const withPeers = join(folder, 'with-peers');
const withoutPeers = join(folder, 'without-peers');

/** The module resolutions, as options of `tsc`. */
const resolutions = {
  node16: ['--module', 'node16'],
  nodenext: ['--module', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  node10: ['--module', 'commonjs', '--moduleResolution', 'node10'],
};

/** Copies the programs, each as an ES module and as CommonJS. msw is ESM-only, which only the newest compilers can require. */
function copyPrograms(project: string): void {
  cpSync(consumers, project, { recursive: true });
  cpSync(consumers, join(project, 'commonjs'), {
    recursive: true,
    filter: (path) => !/msw\.ts|\.json$/.test(path),
  });
  writeFileSync(join(project, 'commonjs/package.json'), '{ "type": "commonjs" }');
}

async function checkAll(compiler: string): Promise<void> {
  const tsc = (project: string, options: readonly string[]) =>
    check(`${compiler}: ${[project, ...options].join(' ')}`, () =>
      run(join(folder, project), [
        'node',
        join(withPeers, 'node_modules', compiler, 'bin/tsc'),
        '-p',
        `${project}.json`,
        ...options,
      ]),
    );
  for (const [name, options] of Object.entries(resolutions)) {
    // TypeScript 6 deprecates the classic resolution, and TypeScript 7 has removed it.
    if (name === 'node10' && compiler === 'ts7') continue;
    const silent = name === 'node10' && compiler === 'ts6' ? ['--ignoreDeprecations', '6.0'] : [];
    await tsc('without-peers', [...options, ...silent]);
    // The declarations of msw compile neither with TypeScript 5.4 nor with the classic resolution.
    await tsc('with-peers', [...options, ...silent, '--skipLibCheck']);
  }
  await tsc('without-peers', [...resolutions.nodenext, '--exactOptionalPropertyTypes', 'false']);
  if (compiler !== 'ts54') await tsc('with-peers', resolutions.nodenext);
}

try {
  const { dependencies } = JSON.parse(readFileSync(join(consumers, 'package.json'), 'utf8'));
  const packed = packedPackages();
  await install(withPeers, { ...dependencies, ...packed });
  for (const name of Object.keys(packed)) {
    cpSync(join(withPeers, 'node_modules', name), join(withoutPeers, 'node_modules', name), {
      recursive: true,
    });
  }
  for (const project of [withPeers, withoutPeers]) copyPrograms(project);
  const queue = ['ts54', 'ts59', 'ts6', 'ts7'].values();
  // Two at a time, since CI has two cores.
  const checkQueued = async () => {
    for (const compiler of queue) await checkAll(compiler);
  };
  await Promise.all([checkQueued(), checkQueued()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printCounts('types');
