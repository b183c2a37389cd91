/**
 * Checks the declarations as merchants get them: the programs of `test/consumers` compile against the packed package
 * with every supported TypeScript and module resolution, both without other packages and with all peers.
 */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { check, printCounts } from './checks.ts';
import {
  type Compiler,
  compilers,
  copyPrograms,
  installConsumer,
  resolutions,
  versionOf,
} from './types-matrix/consumer.ts';

const folder = mkdtempSync(join(tmpdir(), 'payments-client-types-'));
const withoutPeers = join(folder, 'without-peers');
const withPeers = join(folder, 'with-peers');

async function prepare(): Promise<void> {
  for (const folder of [withoutPeers, withPeers]) mkdirSync(folder);
  await installConsumer(withPeers);
  copyPrograms(withoutPeers);
  const ours = 'node_modules/payments-client';
  cpSync(join(withPeers, ours), join(withoutPeers, ours), { recursive: true });
}

async function compile(compiler: Compiler, project: string, options: readonly string[]): Promise<void> {
  const tsc = join(withPeers, 'node_modules', compiler, 'bin/tsc');
  const cwd = project === 'without-peers.json' ? withoutPeers : withPeers;
  await check(`TypeScript ${versionOf(withPeers, compiler)}: ${[project, ...options].join(' ')}`, () =>
    promisify(execFile)(process.execPath, [tsc, '--project', project, ...options], { cwd }),
  );
}

/** TypeScript 6 deprecates the classic resolution, and TypeScript 7 has removed it. */
function resolutionsFor(compiler: Compiler): readonly (readonly string[])[] {
  const { node10, ...others } = resolutions;
  if (compiler === 'ts7') return Object.values(others);
  const classic = compiler === 'ts6' ? [...node10, '--ignoreDeprecations', '6.0'] : node10;
  return [...Object.values(others), classic];
}

async function checkAll(compiler: Compiler): Promise<void> {
  for (const resolution of resolutionsFor(compiler)) {
    await compile(compiler, 'without-peers.json', resolution);
    // The declarations of msw compile neither with TypeScript 5.4 nor with the classic resolution.
    await compile(compiler, 'with-peers.json', [...resolution, '--skipLibCheck']);
  }
  if (compiler !== 'ts54') await compile(compiler, 'with-peers.json', resolutions.nodenext);
}

/** The remaining compilers. Two workers share them, since CI has two cores. */
const queue = compilers.values();

async function checkQueued(): Promise<void> {
  for (const compiler of queue) await checkAll(compiler);
}

try {
  await prepare();
  await Promise.all([checkQueued(), checkQueued()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printCounts('types');
