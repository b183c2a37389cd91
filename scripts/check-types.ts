/**
 * Checks the declarations as merchants get them: small strict programs against the packed package compile with
 * every supported TypeScript and module resolution, with and without the types of the DOM and of Node.
 */

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileAll } from './types-matrix/compile.ts';
import { compilers } from './types-matrix/compilers.ts';
import { installConsumer, versionOf } from './types-matrix/consumer.ts';
import { type Folders, writeCompilations, writePrograms } from './types-matrix/matrix.ts';

const folder = mkdtempSync(join(tmpdir(), 'payments-client-types-'));
const folders: Folders = { alone: join(folder, 'alone'), withOthers: join(folder, 'with-others') };

let passed = 0;
let failed = 0;

async function prepare(): Promise<void> {
  for (const folder of Object.values(folders)) {
    mkdirSync(folder);
    writePrograms(folder);
  }
  await installConsumer(folders.withOthers, '@types/node@24', 'react@19', '@types/react@19', 'msw@3');
  const ours = 'node_modules/payments-client';
  cpSync(join(folders.withOthers, ours), join(folders.alone, ours), { recursive: true });
}

async function check(compiler: string): Promise<void> {
  const compilations = writeCompilations(folders, compiler);
  const verdicts = await compileAll(compiler, join(folders.withOthers, 'node_modules'), compilations);
  for (const { name, complaints } of verdicts) {
    const good = complaints === '';
    if (good) passed += 1;
    else failed += 1;
    console.log(`${good ? 'ok  ' : 'FAIL'} TypeScript ${versionOf(folders.withOthers, compiler)}, ${name}`);
    if (!good) console.log(complaints);
  }
}

/** The compilers that are left. Two lanes share them, since CI has two cores. */
const left = Object.keys(compilers).values();

async function checkLeft(): Promise<void> {
  for (const compiler of left) await check(compiler);
}

try {
  await prepare();
  await Promise.all([checkLeft(), checkLeft()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`types: ${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
