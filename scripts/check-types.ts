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
const alone = join(folder, 'alone');
const withPeers = join(folder, 'with-peers');

async function prepare(): Promise<void> {
  for (const folder of [alone, withPeers]) mkdirSync(folder);
  await installConsumer(withPeers);
  copyPrograms(alone);
  const ours = 'node_modules/payments-client';
  cpSync(join(withPeers, ours), join(alone, ours), { recursive: true });
}

async function compile(compiler: Compiler, project: string, options: readonly string[]): Promise<void> {
  const tsc = join(withPeers, 'node_modules', compiler, 'bin/tsc');
  const cwd = project === 'alone.json' ? alone : withPeers;
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
    await compile(compiler, 'alone.json', resolution);
    // The declarations of msw compile neither with TypeScript 5.4 nor with the classic resolution.
    await compile(compiler, 'with-peers.json', [...resolution, '--skipLibCheck']);
  }
  if (compiler !== 'ts54') await compile(compiler, 'with-peers.json', resolutions.nodenext);
}

/** The remaining compilers. Two workers share them, since CI has two cores. */
const left = compilers.values();

async function checkLeft(): Promise<void> {
  for (const compiler of left) await checkAll(compiler);
}

try {
  await prepare();
  await Promise.all([checkLeft(), checkLeft()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printCounts('types');
